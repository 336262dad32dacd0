/**
 * The end of a proof run: does every account hold what it must, and does every outbox row come from
 * an event?
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { inboxKey, outboxId, sha256Hex } from '../lambda/core/inbox-key.ts';
import type { PlannedEvent } from './plan.ts';

export interface Audit {
  /** Credits beyond one an event. */
  readonly doubleCredits: number;
  /** Events that were never credited. */
  readonly lostCredits: number;
  /** What is wrong, one line each; empty when all is well. */
  readonly violations: readonly string[];
}

export interface Books {
  readonly accounts: readonly Row[];
  readonly outbox: readonly Row[];
  readonly inbox: readonly Row[];
  /** Calls to the outside by idempotency key. */
  readonly outsideCalls: ReadonlyMap<string, number>;
}

type Row = Readonly<Record<string, unknown>>;

export async function readBooks(
  client: DynamoDBDocumentClient,
  tables: Readonly<Record<string, string>>,
  outsideCalls: ReadonlyMap<string, number>,
): Promise<Books> {
  const all = async (table: string | undefined): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for await (const page of paginateScan({ client }, { TableName: table, ConsistentRead: true }))
      rows.push(...(page.Items ?? []));
    return rows;
  };
  return {
    accounts: await all(tables['accounts']),
    outbox: await all(tables['outbox']),
    inbox: await all(tables['inbox']),
    outsideCalls,
  };
}

export function audit(events: readonly PlannedEvent[], books: Books): Audit {
  const accounts = auditAccounts(events, books.accounts);
  return {
    doubleCredits: accounts.doubleCredits,
    lostCredits: accounts.lostCredits,
    violations: [
      ...accounts.violations,
      ...auditOutbox(events, books.outbox),
      ...auditInbox(events, books.inbox),
      ...auditSteps(events, books.outsideCalls),
    ],
  };
}

function auditAccounts(events: readonly PlannedEvent[], rows: readonly Row[]): Audit {
  const owed = Map.groupBy(events, ({ account }) => account);
  const held = new Map(rows.map((row) => [String(row['accountId']), row]));
  const violations: string[] = [];
  let doubleCredits = 0;
  let lostCredits = 0;
  for (const account of new Set([...owed.keys(), ...held.keys()])) {
    const due = owed.get(account) ?? [];
    const balance = Number(held.get(account)?.['balance'] ?? 0);
    const entries = Number(held.get(account)?.['entries'] ?? 0);
    const sum = due.reduce((total, { amount }) => total + amount, 0);
    doubleCredits += Math.max(0, entries - due.length);
    lostCredits += Math.max(0, due.length - entries);
    if (balance !== sum || entries !== due.length) {
      violations.push(`account ${account}: ${entries} credits of ${balance}; must be ${due.length} of ${sum}`);
    }
  }
  return { doubleCredits, lostCredits, violations };
}

/** One message an event, by name and content, and no other. */
function auditOutbox(events: readonly PlannedEvent[], rows: readonly Row[]): readonly string[] {
  const due = new Map(
    events.map(({ source, id, account, amount }) => [
      outboxId(inboxKey(source, id), 1),
      JSON.stringify({ account, amount }),
    ]),
  );
  const violations: string[] = [];
  for (const row of rows) {
    const id = String(row['id']);
    const payload = due.get(id);
    if (payload === undefined) violations.push(`outbox ${id}: comes from no event`);
    else if (payload !== row['payload']) violations.push(`outbox ${id}: ${String(row['payload'])}; must be ${payload}`);
    due.delete(id);
  }
  return [...violations, ...[...due.keys()].map((id) => `outbox ${id}: is missing`)];
}

function auditInbox(events: readonly PlannedEvent[], rows: readonly Row[]): readonly string[] {
  const states = new Map(rows.map((row) => [String(row['id']), row['status']]));
  return events.flatMap(({ source, id }) => {
    const status = states.get(inboxKey(source, id));
    return status === 'processed'
      ? []
      : [`inbox ${inboxKey(source, id)}: ${String(status ?? 'no row')}; must be processed`];
  });
}

/** Each event used one key, and a step whose record was kept was called once. */
function auditSteps(events: readonly PlannedEvent[], calls: ReadonlyMap<string, number>): readonly string[] {
  const due = new Map(
    events
      .filter(({ source }) => source === 'bazaar')
      .map((event) => [sha256Hex(JSON.stringify([event.source, event.id, 'tell'])), event]),
  );
  const strangers = [...calls.keys()]
    .filter((key) => !due.has(key))
    .map((key) => `step key ${key}: belongs to no event`);
  const missing = [...due].filter(([key]) => !calls.has(key)).map(([, { id }]) => `step of ${id}: was never called`);
  const repeated = [...due]
    .filter(([key, { crash }]) => crash === 'in the handler, step recorded' && (calls.get(key) ?? 0) > 1)
    .map(([key, { id }]) => `step of ${id}: called ${calls.get(key)} times although it was recorded`);
  return [...strangers, ...missing, ...repeated];
}
