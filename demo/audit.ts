/**
 * The end of a proof run. Does every account hold what it must? Is every event committed, or in the dead-letter queue?
 * Was every message that was committed with one consumed, and once?
 */
import { OUTBOX_SOURCE } from '../lambda/consume/read-message.ts';
import { inboxEventId, inboxKey, outboxId, sha256Hex } from '../lambda/core/inbox-key.ts';
import type { Books, Row } from './books.ts';
import { ALWAYS, type PlannedEvent } from './plan.ts';

export interface Audit {
  /** Credits beyond one an event. */
  readonly doubleCredits: number;
  /** Events that were never credited, but for those that are parked. */
  readonly lostCredits: number;
  /** Events in the dead-letter queue that were not committed. */
  readonly parked: number;
  /** Events that are neither committed nor in the dead-letter queue. */
  readonly lostEvents: number;
  /** Messages that were committed, one with each event. */
  readonly emitted: number;
  /** Of those, the ones that were consumed. */
  readonly consumed: number;
  /** Receipts beyond one a message. */
  readonly doubleConsumed: number;
  /** Messages that were emitted and neither consumed nor given up by the consumer: they never came to the queue. */
  readonly lostMessages: number;
  /** What is wrong, one line each; empty when all is well. */
  readonly violations: readonly string[];
}

export function audit(events: readonly PlannedEvent[], books: Books): Audit {
  const { ends, violations: eventViolations } = auditEvents(events, books);
  const count = (wanted: End): number => [...ends.values()].filter((end) => end === wanted).length;
  const due = events.filter((event) => ends.get(event) !== 'parked');
  const accounts = auditAccounts(due, books.accounts);
  const messages = auditMessages(
    events.filter((event) => ends.get(event) === 'committed'),
    books,
  );
  return {
    doubleCredits: accounts.doubleCredits,
    lostCredits: accounts.lostCredits,
    parked: count('parked'),
    lostEvents: count('lost'),
    emitted: count('committed'),
    consumed: messages.consumed,
    doubleConsumed: messages.doubleConsumed,
    lostMessages: messages.lostMessages,
    violations: [
      ...accounts.violations,
      ...eventViolations,
      ...messages.violations,
      ...auditSteps(due, events, books.outsideCalls),
    ],
  };
}

type End = 'committed' | 'parked' | 'lost';

function auditEvents(
  events: readonly PlannedEvent[],
  { inbox, parked }: Books,
): { readonly ends: ReadonlyMap<PlannedEvent, End>; readonly violations: readonly string[] } {
  const states = statesOf(inbox);
  const violations: string[] = [];
  const ends = new Map<PlannedEvent, End>();
  for (const event of events) {
    const key = inboxKey(event.source, event.id);
    const status = states.get(key);
    const end = status === 'processed' ? 'committed' : parked.has(key) ? 'parked' : 'lost';
    ends.set(event, end);
    if (end === 'lost') violations.push(`event ${key}: ${status ?? 'no row'}, and not in the dead-letter queue`);
    if (end === 'parked' && status !== 'parked')
      violations.push(`event ${key}: in the dead-letter queue, and its row says ${status ?? 'nothing'}`);
    if (end === 'committed' && event.failures === ALWAYS)
      violations.push(`event ${key}: committed, although its handler always fails`);
  }
  const planned = new Set(events.map(({ source, id }) => inboxKey(source, id)));
  const strangers = [...parked.keys()].filter((key) => !planned.has(key));
  return { ends, violations: [...violations, ...strangers.map((key) => `parked ${key}: was never sent`)] };
}

const statesOf = (inbox: readonly Row[]): ReadonlyMap<string, string> =>
  new Map(inbox.map((row) => [String(row['id']), String(row['status'])]));

function auditAccounts(
  due: readonly PlannedEvent[],
  rows: readonly Row[],
): Pick<Audit, 'doubleCredits' | 'lostCredits' | 'violations'> {
  const violations: string[] = [];
  let doubleCredits = 0;
  let lostCredits = 0;
  for (const { account, events, held } of byAccount(due, rows)) {
    const balance = held('balance');
    const entries = held('entries');
    const sum = events.reduce((total, { amount }) => total + amount, 0);
    doubleCredits += Math.max(0, entries - events.length);
    lostCredits += Math.max(0, events.length - entries);
    if (balance !== sum || entries !== events.length) {
      violations.push(`account ${account}: ${entries} credits of ${balance}; must be ${events.length} of ${sum}`);
    }
  }
  return { doubleCredits, lostCredits, violations };
}

interface Account {
  readonly account: string;
  readonly events: readonly PlannedEvent[];
  readonly held: (attribute: string) => number;
}

function byAccount(events: readonly PlannedEvent[], rows: readonly Row[]): readonly Account[] {
  const owed = Map.groupBy(events, ({ account }) => account);
  const rowOf = new Map(rows.map((row) => [String(row['accountId']), row]));
  return [...new Set([...owed.keys(), ...rowOf.keys()])].map((account) => ({
    account,
    events: owed.get(account) ?? [],
    held: (attribute) => Number(rowOf.get(account)?.[attribute] ?? 0),
  }));
}

/** One message an event that was committed, by name and content, and no other. */
function auditMessages(
  committed: readonly PlannedEvent[],
  { accounts, inbox, outbox, sent, unconsumed }: Books,
): Pick<Audit, 'consumed' | 'doubleConsumed' | 'lostMessages' | 'violations'> {
  const emitted = new Map(
    committed.map((event) => [outboxId(inboxKey(event.source, event.id), 1), event] satisfies [string, PlannedEvent]),
  );
  const states = statesOf(inbox);
  const isConsumed = (id: string): boolean => states.get(inboxKey(OUTBOX_SOURCE, inboxEventId(id))) === 'processed';
  const ids = [...emitted.keys()];
  const lost = ids.filter((id) => !isConsumed(id) && !unconsumed.has(id));
  const violations = [
    ...lost.map((id) => `message ${id}: never came to the queue, or is still in it`),
    // A copy of one that was consumed may be given up: when it came too often while its consumer was killed.
    ...[...unconsumed].filter((id) => !isConsumed(id)).map((id) => `message ${id}: was given up by its consumer`),
    ...outbox.map(({ id, state }) => `message ${String(id)}: is still owed, ${String(state)}`),
    ...ids.filter((id) => isConsumed(id) && !sent.has(id)).map((id) => `message ${id}: consumed, and never sent`),
  ];
  for (const [id, bodies] of sent) {
    const event = emitted.get(id);
    const due = event === undefined ? 'nothing' : JSON.stringify({ account: event.account, amount: event.amount });
    for (const body of bodies) if (body !== due) violations.push(`message ${id}: ${body} was sent; must be ${due}`);
  }

  let doubleConsumed = 0;
  const consumed = [...emitted].filter(([id]) => isConsumed(id)).map(([, event]) => event);
  for (const { account, events, held } of byAccount(consumed, accounts)) {
    const receipts = held('receipts');
    doubleConsumed += Math.max(0, receipts - events.length);
    if (receipts !== events.length) {
      violations.push(`account ${account}: ${receipts} receipts; must be ${events.length}`);
    }
  }
  return { consumed: consumed.length, doubleConsumed, lostMessages: lost.length, violations };
}

/** Each event used one key, and a step whose record was kept was called once. */
function auditSteps(
  due: readonly PlannedEvent[],
  events: readonly PlannedEvent[],
  calls: ReadonlyMap<string, number>,
): readonly string[] {
  const keysOf = (some: readonly PlannedEvent[]): ReadonlyMap<string, PlannedEvent> =>
    new Map(some.filter(({ source }) => source === 'bazaar').map((event) => [stepKey(event), event]));
  const known = keysOf(events);
  const strangers = [...calls.keys()]
    .filter((key) => !known.has(key))
    .map((key) => `step key ${key}: belongs to no event`);
  const missing = [...keysOf(due)]
    .filter(([key]) => !calls.has(key))
    .map(([, { id }]) => `step of ${id}: was never called`);
  const repeated = [...known]
    .filter(([key, { crash }]) => crash === 'in the handler, step recorded' && (calls.get(key) ?? 0) > 1)
    .map(([key, { id }]) => `step of ${id}: called ${calls.get(key)} times although it was recorded`);
  return [...strangers, ...missing, ...repeated];
}

const stepKey = ({ source, id }: PlannedEvent): string => sha256Hex(JSON.stringify([source, id, 'tell']));
