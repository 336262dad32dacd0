/**
 * What the row that is already there means for somebody who wants to claim the event.
 *
 * The conditional put of the claim returns the old row when it fails, and this table reads it.
 * The order matters: my own token first, because a put whose answer was lost is sent again by the
 * SDK and fails on its own row; taking that for a duplicate would acknowledge an event that nobody
 * works on.
 */
import { assertNever } from './assert-never.ts';
import type { InboxRow } from './inbox-row.ts';
import { type EpochMs, seconds } from './time.ts';

export type ClaimDecision =
  /** My put was applied and its answer lost. */
  | { readonly kind: 'mine' }
  | { readonly kind: 'in-progress'; readonly leaseUntil: EpochMs }
  | { readonly kind: 'duplicate' }
  /** Finished, but its window has passed and DynamoDB has not deleted it yet. */
  | { readonly kind: 'forgotten' }
  /** A copy that is older than the parking: automatic attempts have ended. */
  | { readonly kind: 'already-parked' }
  | { readonly kind: 'take-over'; readonly attempts: number; readonly failures: number };

/** @param sentAt When the copy was put into the queue that it came from; `undefined` for a delivery. */
export function decideClaim(row: InboxRow, token: string, now: EpochMs, sentAt?: EpochMs): ClaimDecision {
  switch (row.status) {
    case 'claimed':
      if (row.claimToken === token) return { kind: 'mine' };
      if (row.leaseUntil !== undefined && row.leaseUntil > now)
        return { kind: 'in-progress', leaseUntil: row.leaseUntil };
      return { kind: 'take-over', attempts: row.attempts + 1, failures: row.failures };
    case 'processed':
    case 'superseded':
      // TTL deletes hours or days late: the window counts, not the deletion.
      return row.expiresAt !== undefined && row.expiresAt * 1000 <= now ? { kind: 'forgotten' } : { kind: 'duplicate' };
    case 'failed':
      return { kind: 'take-over', attempts: row.attempts + 1, failures: row.failures };
    case 'parked':
      if (isOlderThan(sentAt, row.failedAt)) return { kind: 'already-parked' };
      return { kind: 'take-over', attempts: 1, failures: 0 };
    case 'cleared':
      // Somebody may have fixed what was wrong: the attempts begin anew.
      return { kind: 'take-over', attempts: 1, failures: 0 };
    default:
      return assertNever(row.status);
  }
}

/**
 * How far the clocks of SQS and of the functions may differ. A redrive must never be taken for an old copy: its message would
 * be deleted. An old copy that is taken for a redrive costs an attempt more.
 */
const CLOCK_DIFFERENCE = seconds(10);

const isOlderThan = (sentAt: EpochMs | undefined, failedAt: EpochMs | undefined): boolean =>
  sentAt !== undefined && failedAt !== undefined && sentAt + CLOCK_DIFFERENCE < failedAt;
