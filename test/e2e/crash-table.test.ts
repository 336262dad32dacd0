import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { audit } from '../../demo/audit.ts';
import { type Books, readBooks } from '../../demo/books.ts';
import { createChance } from '../../demo/chance.ts';
import { createClients } from '../../demo/clients.ts';
import { CRASH_ROWS, type CrashRow, NEEDS_FAILURE } from '../../demo/crash-rows.ts';
import { drain } from '../../demo/drain.ts';
import { createMisfortune } from '../../demo/misfortune.ts';
import { type Outside, startOutside } from '../../demo/outside.ts';
import type { PlannedEvent } from '../../demo/plan.ts';
import { noteSentMessages } from '../../demo/sent-messages.ts';
import { signEvent } from '../../demo/sign-event.ts';
import { startDemoAws } from '../../demo/start.ts';
import { OUTCOME_HEADER } from '../../lambda/contract.ts';
import { inboxKey, sha256Hex } from '../../lambda/core/inbox-key.ts';
import { epochMs } from '../../lambda/core/time.ts';
import type { LocalAws } from '../../local/local-aws.ts';

/** One event a row, with an account of its own. */
const events: readonly PlannedEvent[] = CRASH_ROWS.map((crash, n) => ({
  source: 'bazaar',
  id: `slip_${n}`,
  account: `merchant-${n}`,
  amount: 100 + n,
  copies: 1,
  failures: NEEDS_FAILURE.includes(crash) ? 1 : 0,
  refusals: 0,
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
  aws = await startDemoAws({
    dynamodbEndpoint: inject('dynamodbEndpoint'),
    scale: { consumerSeconds: 10, outboxHiddenSeconds: 10 },
    maxAttempts: 5,
    // Nothing is claimed with less than two left, and ten cold starts at once are slow.
    receiveSeconds: 5,
    beforeAnswer: ({ functionKey, payload }) =>
      functionKey === 'receive' && misfortune.killsBeforeResponse(JSON.parse(JSON.parse(payload).body).eventId)
        ? 'kill'
        : 'go on',
  });
  const sent = noteSentMessages();
  aws.gateway.faults.use(sent.source);
  aws.gateway.faults.use(misfortune.source);
  // All rows at once: each waits for its own lease.
  await Promise.all(events.map(deliverUntilAcknowledged));

  const clients = createClients(aws);
  await drain(aws, clients, { limitMs: 60_000, signal: new AbortController().signal });
  books = await readBooks(aws, clients, { sent: sent.bodies, outsideCalls: outside.calls });
  clients.destroy();
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
  /** What the delivery that is acknowledged is told: one of these, where it depends on who was faster. */
  readonly outcomes: readonly ('processed' | 'duplicate' | 'queued')[];
  /** Claims that were begun. */
  readonly attempts: number;
  readonly failures: number;
  /** Calls to the outside with the one key of the event's step. */
  readonly calls: number;
}

/** A copy of what seems to run, or, on a slow machine, one that comes when the lease is over. */
const LATER = ['queued', 'processed'] as const;

const ENDINGS: readonly Ending[] = [
  { row: 'before the claim', outcomes: ['processed'], attempts: 1, failures: 0, calls: 1 },
  { row: 'claimed, the answer lost', outcomes: LATER, attempts: 2, failures: 0, calls: 1 },
  { row: 'in the handler, step not recorded', outcomes: LATER, attempts: 2, failures: 0, calls: 2 },
  { row: 'in the handler, step recorded', outcomes: LATER, attempts: 2, failures: 0, calls: 1 },
  { row: 'before the transaction', outcomes: LATER, attempts: 2, failures: 0, calls: 1 },
  { row: 'transaction applied, the answer lost', outcomes: ['duplicate'], attempts: 1, failures: 0, calls: 1 },
  { row: 'before the response', outcomes: ['duplicate'], attempts: 1, failures: 0, calls: 1 },
  { row: 'after a failure, before queueing', outcomes: LATER, attempts: 2, failures: 0, calls: 1 },
  { row: 'queued, before the release', outcomes: LATER, attempts: 2, failures: 0, calls: 1 },
  // The redelivery, or the copy that the failed attempt has queued.
  { row: 'released, before the response', outcomes: ['processed', 'duplicate'], attempts: 2, failures: 1, calls: 1 },
];

describe('a process that is killed', () => {
  it.each(ENDINGS)(
    '$row is not acknowledged, and the redelivery is told $outcomes',
    ({ row, outcomes, attempts, failures, calls }) => {
      const event = events.find(({ crash }) => crash === row);
      const key = inboxKey('bazaar', event?.id ?? '');
      const inboxRow = books.inbox.find(({ id }) => id === key);
      const account = books.accounts.find(({ accountId }) => accountId === event?.account);
      const seen = answers.get(row) ?? [];

      expect(seen[0]).toEqual([500, null]);
      expect(seen[1]).toEqual([200, expect.toBeOneOf([...outcomes])]);
      expect(seen).toHaveLength(2);
      expect(inboxRow).toMatchObject({ status: 'processed', attempts, failures });
      expect(account).toMatchObject({ balance: event?.amount, entries: 1, receipts: 1 });
      expect([...books.sent.keys()].filter((id) => id.startsWith(`${key}#`))).toHaveLength(1);
      expect(outside.calls.get(sha256Hex(JSON.stringify(['bazaar', event?.id, 'tell'])))).toBe(calls);
    },
  );

  it('was killed once in each row, and the books are right', () => {
    expect(misfortune.crashes).toEqual(new Map(CRASH_ROWS.map((row) => [row, 1])));
    expect(audit(events, books)).toMatchObject({ emitted: events.length, consumed: events.length, violations: [] });
  });
});
