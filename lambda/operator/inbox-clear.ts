/**
 * Clear: the safe way to replay one event. It makes the event claimable and does nothing else: no handler runs here,
 * and what applies the event again is its next delivery, through the inbox.
 *
 * The row is the authority, and it is changed only as it was shown: the condition names its claim token and its
 * status, and every claim changes the one, every ending the other. So a worker that claims the event meanwhile wins,
 * and a worker whose lapsed claim is cleared can commit nothing any more.
 *
 * A cleared row has no expiry. If DynamoDB deleted it before the event is delivered again, an old event would meet
 * the age rule and be parked as expired, against what was decided here. The next commit gives it an expiry again.
 */
import { assertNever } from '../core/assert-never.ts';
import type { InboxRow } from '../core/inbox-row.ts';
import type { Clock } from '../core/ports.ts';
import { toIso } from '../core/time.ts';
import type { HistoryEntry, InboxRecord, OperatorInbox } from './deployment/inbox-port.ts';
import { printable } from './printable.ts';
import { Refusal } from './refusal.ts';
import { requireWhoAndWhy, type WhoAndWhy } from './who-and-why.ts';

/** @throws Refusal for a row that must be left as it is. */
export function requireClearable({ row }: InboxRecord, now: number): void {
  if (row.status === 'cleared') {
    throw new Refusal('it is cleared already: the next delivery of it is applied, so nothing was changed');
  }
  if (row.status === 'claimed' && row.leaseUntil !== undefined && row.leaseUntil > now) {
    throw new Refusal(
      `an attempt of it may still run, until ${toIso(row.leaseUntil)} at the latest: wait for it, then look again. Nothing was changed`,
    );
  }
}

/** What a person must know before they clear it, a sentence each. */
export function consequencesOf({ row, processedAt }: InboxRecord): readonly string[] {
  const steps = Object.keys(row.steps);
  return [
    'the next delivery of it runs the handler; clearing it runs nothing',
    ...statusConsequence(row, processedAt),
    'outbox ids stay the same, so a consumer that deduplicates by them sees nothing new',
    steps.length === 0
      ? 'finished steps are gone: each runs again, with the same idempotency key'
      : `finished steps are gone and will run again with the same idempotency keys: ${printable(steps.join(', '))}`,
  ];
}

function statusConsequence({ status, attempts }: InboxRow, processedAt: string | undefined): readonly string[] {
  switch (status) {
    case 'processed':
      return [`it was APPLIED${processedAt === undefined ? '' : ` at ${processedAt}`}: its writes are made once more`];
    case 'superseded':
      return ['a newer event of its resource was applied, so it will be superseded again'];
    case 'parked':
      return ['it waits in the events DLQ too: oncehook dlq redrive brings it back without its provider'];
    case 'failed':
      return [`it is claimable already; its ${attempts} attempts are no longer counted`];
    case 'claimed':
      return ['its last attempt died; if that worker still lives, it can commit nothing any more'];
    case 'cleared':
      return [];
    default:
      return assertNever(status);
  }
}

/**
 * Clears an event as it was shown.
 *
 * @returns what its row keeps of it.
 * @throws Refusal when the row has changed since, or must be left as it is; nothing was changed.
 */
export async function clearEvent(
  inbox: Pick<OperatorInbox, 'clear'>,
  clock: Pick<Clock, 'now'>,
  seen: InboxRecord,
  wish: WhoAndWhy,
): Promise<HistoryEntry> {
  requireWhoAndWhy(wish);
  requireClearable(seen, clock.now());
  const entry = { at: toIso(clock.now()), ...wish, was: seen.row.status, processedAt: seen.processedAt };
  const ending = await inbox.clear(seen, entry);
  switch (ending) {
    case 'cleared':
      return entry;
    case 'changed':
      throw new Refusal('the event has changed since it was shown, so nothing was done: look again and decide anew');
    default:
      return assertNever(ending);
  }
}
