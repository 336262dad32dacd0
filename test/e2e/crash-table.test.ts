import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, type Books, readBooks } from '../../demo/audit.ts';
import { createChance } from '../../demo/chance.ts';
import { CRASH_ROWS, type CrashRow, NEEDS_FAILURE } from '../../demo/crash-rows.ts';
import { createMisfortune } from '../../demo/misfortune.ts';
import { type Outside, startOutside } from '../../demo/outside.ts';
import type { PlannedEvent } from '../../demo/plan.ts';
import { signEvent } from '../../demo/sign-event.ts';
import { OUTCOME_HEADER } from '../../lambda/contract.ts';
import { inboxKey, sha256Hex } from '../../lambda/core/inbox-key.ts';
import { epochMs } from '../../lambda/core/time.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';

/** One event a row, with an account of its own. */
const events: readonly PlannedEvent[] = CRASH_ROWS.map((crash, n) => ({
  source: 'bazaar',
  id: `slip_${n}`,
  account: `merchant-${n}`,
  amount: 100 + n,
  copies: 1,
  failsFirst: NEEDS_FAILURE.includes(crash),
  crash,
  zombie: false,
}));
const misfortune = createMisfortune(events, createChance('crash table'), 0);

let aws: LocalAws;
let outside: Outside;
let books: Books;
/** The answers to each event's deliveries, the last one the first success. */
const answers = new Map<CrashRow, readonly (readonly [number, string | null])[]>();

beforeAll(async () => {
  outside = await startOutside();
  aws = await startTestAws({
    sourcesFile: join(import.meta.dirname, '../../demo/sources.ts'),
    context: { receiveTimeoutSeconds: '3' },
    beforeAnswer: ({ payload }) =>
      misfortune.killsBeforeResponse(JSON.parse(JSON.parse(payload).body).eventId) ? 'kill' : 'go on',
  });
  aws.gateway.faults.use(misfortune.source);
  // All rows at once: each waits for its own lease.
  await Promise.all(events.map(deliverUntilAcknowledged));

  const client = new DynamoDBClient({
    endpoint: aws.endpoints.dynamodb,
    region: aws.region,
    credentials: { ...aws.credentials },
  });
  books = await readBooks(DynamoDBDocumentClient.from(client), aws.tables, outside.calls);
  client.destroy();
});
afterAll(async () => {
  await aws?.stop();
  await outside?.close();
});

async function deliverUntilAcknowledged(event: PlannedEvent): Promise<void> {
  const seen: (readonly [number, string | null])[] = [];
  do {
    const signed = signEvent(event, aws.secrets[event.source]?.[0] ?? '', outside.url, epochMs(Date.now()));
    const response = await fetch(`${aws.apiUrl}/webhooks/${event.source}`, { method: 'POST', ...signed });
    await response.arrayBuffer();
    seen.push([response.status, response.headers.get(OUTCOME_HEADER)]);
  } while (seen.at(-1)?.[0] !== 200);
  if (event.crash !== undefined) answers.set(event.crash, seen);
}

interface Ending {
  readonly row: CrashRow;
  /** What the delivery that is acknowledged is told. */
  readonly outcome: 'processed' | 'duplicate';
  /** Claims that were begun. */
  readonly attempts: number;
  readonly failures: number;
  /** Calls to the outside with the one key of the event's step. */
  readonly calls: number;
}

const ENDINGS: readonly Ending[] = [
  { row: 'before the claim', outcome: 'processed', attempts: 1, failures: 0, calls: 1 },
  { row: 'claimed, the answer lost', outcome: 'processed', attempts: 2, failures: 0, calls: 1 },
  { row: 'in the handler, step not recorded', outcome: 'processed', attempts: 2, failures: 0, calls: 2 },
  { row: 'in the handler, step recorded', outcome: 'processed', attempts: 2, failures: 0, calls: 1 },
  { row: 'before the transaction', outcome: 'processed', attempts: 2, failures: 0, calls: 1 },
  { row: 'transaction applied, the answer lost', outcome: 'duplicate', attempts: 1, failures: 0, calls: 1 },
  { row: 'before the response', outcome: 'duplicate', attempts: 1, failures: 0, calls: 1 },
  { row: 'after a failure, before the release', outcome: 'processed', attempts: 2, failures: 0, calls: 1 },
  { row: 'released, before the response', outcome: 'processed', attempts: 2, failures: 1, calls: 1 },
];

describe('a process that is killed', () => {
  it.each(ENDINGS)(
    '$row is not acknowledged, and the redelivery ends $outcome',
    ({ row, outcome, attempts, failures, calls }) => {
      const event = events.find(({ crash }) => crash === row);
      const key = inboxKey('bazaar', event?.id ?? '');
      const inboxRow = books.inbox.find(({ id }) => id === key);
      const account = books.accounts.find(({ accountId }) => accountId === event?.account);
      const seen = answers.get(row) ?? [];

      expect(seen[0]).toEqual([500, null]);
      expect(seen.slice(1, -1).every(([status]) => status === 503)).toBe(true);
      expect(seen.at(-1)).toEqual([200, outcome]);
      expect(inboxRow).toMatchObject({ status: 'processed', attempts, failures });
      expect(account).toMatchObject({ balance: event?.amount, entries: 1 });
      expect(books.outbox.filter(({ id }) => String(id).startsWith(`${key}#`))).toHaveLength(1);
      expect(outside.calls.get(sha256Hex(JSON.stringify(['bazaar', event?.id, 'tell'])))).toBe(calls);
    },
  );

  it('was killed once in each row, and the books are right', () => {
    expect(misfortune.crashes).toEqual(new Map(CRASH_ROWS.map((row) => [row, 1])));
    expect(audit(events, books)).toEqual({ doubleCredits: 0, lostCredits: 0, violations: [] });
  });
});
