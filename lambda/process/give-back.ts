/**
 * After a failed attempt: where the event goes, and only then the claim.
 *
 * The order is what keeps the event. It is put where it will be found again (the events queue, or for good the
 * dead-letter queue) while the claim is still held, and the claim is given back after that:
 * - a crash before the queueing: nobody was answered, so the sender sends again;
 * - a crash between the two: the queued copy finds the claim and waits for its lease; a parked event is in the
 *   dead-letter queue, and the next copy takes its lapsed row over: it is parked once more, or applied, and what is in
 *   the dead-letter queue is then a duplicate;
 * - a crash after the release: the copy, or the sender's, claims the event.
 *
 * Attempts are counted on the row, by whoever holds the claim. One that was begun and ended without a word, because
 * its process died, is among `attempts` and not among `failures`; it counts towards the same limit.
 */
import { assertNever } from '../core/assert-never.ts';
import { retryWait } from '../core/backoff.ts';
import { isOncehookError } from '../core/errors.ts';
import { type EventOutcome, type FailureSummary, type ParkReason, summarise } from '../core/outcome.ts';
import type { AttemptCounts, Claim, FencedAnswer, Invocation, Telemetry } from '../core/ports.ts';
import { between, type DurationMs, hours, plus, seconds } from '../core/time.ts';
import type { ClaimDeps } from './claim.ts';
import type { EventContext } from './event-context.ts';
import type { AttemptFailure } from './handle.ts';
import { retryWrite } from './retry-write.ts';

export interface GiveBackDeps extends Pick<ClaimDeps, 'inbox' | 'clock' | 'chance'> {
  readonly telemetry: Pick<Telemetry, 'warn'>;
  /** Attempts after which an event is parked. */
  readonly maxAttempts: number;
  /** The longest wait after the first failed attempt. */
  readonly retryAfter: DurationMs;
}

/** How long a handler may ask for later, all times together. */
const LONGEST_POSTPONEMENT = hours(24);

export async function giveBack(
  deps: GiveBackDeps,
  held: Claim,
  context: EventContext,
  invocation: Invocation,
  failure: AttemptFailure,
): Promise<EventOutcome> {
  const error = summarise(failure.error);
  const reason = parkReason(deps, held, context, failure);
  if (reason !== undefined) return park(deps, held, context, invocation, reason, error);

  const isQueued = await queue(deps, held, context, failure);
  const counts = failure.kind === 'retry-later' ? uncounted(held) : countedAsFailure(held);
  let answer: FencedAnswer;
  try {
    answer = await retryWrite(deps, invocation, () => deps.inbox.release(held, deps.clock.now(), error, counts));
  } catch (lost) {
    // The lease ends the claim instead; why the attempt failed must not be lost with the release.
    warnOfLoss(deps, held, error, 'the claim could not be given back after a failed attempt');
    if (!isQueued) throw lost;
    answer = 'written';
  }
  if (answer === 'committed') return { kind: 'processed', attempt: held.attempts };
  if (isQueued) return { kind: 'queued', because: because(failure), attempt: held.attempts, error };
  if (answer === 'claim-lost') return { kind: 'claim-lost' };
  return failure.kind === 'retry-later'
    ? { kind: 'retry-later', attempt: held.attempts, retryAfterSeconds: failure.seconds, error }
    : { kind: 'failed', attempt: held.attempts, error };
}

/**
 * Parks a claimed event: it is in the dead-letter queue before its row says so. If it cannot be kept there, the claim
 * is given back, and the next attempt tries to park it again.
 */
export async function park(
  deps: GiveBackDeps,
  held: Claim,
  context: EventContext,
  invocation: Invocation,
  reason: ParkReason,
  error: FailureSummary,
): Promise<EventOutcome> {
  // Whoever was claimed only to be parked was not run.
  const counts = held.attempts > deps.maxAttempts ? held : countedAsFailure(held);
  try {
    await context.park(reason, error);
  } catch (refused) {
    if (!isOncehookError(refused)) throw refused;
    warnOfLoss(deps, held, error, 'the event could not be parked');
    await retryWrite(deps, invocation, () => deps.inbox.release(held, deps.clock.now(), error, counts));
    return { kind: 'failed', attempt: held.attempts, error };
  }
  const answer = await retryWrite(deps, invocation, () => deps.inbox.park(held, deps.clock.now(), error, counts));
  switch (answer) {
    case 'written':
      return { kind: 'parked', reason, attempt: held.attempts, error };
    case 'committed':
      return { kind: 'processed', attempt: held.attempts };
    case 'claim-lost':
      return { kind: 'claim-lost' };
    default:
      return assertNever(answer);
  }
}

/** What an attempt counts as when it is not to blame: nothing, as if it had not been begun. */
export const uncounted = (held: Claim): AttemptCounts => ({ attempts: held.attempts - 1, failures: held.failures });

const countedAsFailure = (held: Claim): AttemptCounts => ({ attempts: held.attempts, failures: held.failures + 1 });

/** Why this failure was the last one; `undefined` when the event may be tried again. */
function parkReason(
  deps: GiveBackDeps,
  held: Claim,
  context: EventContext,
  failure: AttemptFailure,
): ParkReason | undefined {
  switch (failure.kind) {
    case 'permanent':
      return 'permanent';
    case 'failed':
      return held.attempts >= deps.maxAttempts ? 'max-attempts' : undefined;
    case 'retry-later': {
      const now = deps.clock.now();
      const waited = between(context.postponedSince ?? now, plus(now, seconds(failure.seconds)));
      return waited > LONGEST_POSTPONEMENT ? 'retry-later-too-long' : undefined;
    }
    default:
      return assertNever(failure);
  }
}

/** Whether the events queue has a copy now; without one the answer must ask the sender. */
async function queue(
  deps: GiveBackDeps,
  held: Claim,
  context: EventContext,
  failure: AttemptFailure,
): Promise<boolean> {
  if (context.queue === undefined) return false;
  try {
    if (failure.kind === 'retry-later') {
      const now = deps.clock.now();
      const wait = seconds(failure.seconds);
      await context.queue(wait, { notBefore: plus(now, wait), postponedSince: context.postponedSince ?? now });
    } else {
      await context.queue(retryWait(held.attempts, deps.retryAfter, deps.chance.random()));
    }
    return true;
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    warnOfLoss(deps, held, summarise(error), 'the event could not be queued after a failed attempt');
    return false;
  }
}

const because = (failure: AttemptFailure): 'failed' | 'retry-later' =>
  failure.kind === 'retry-later' ? 'retry-later' : 'failed';

const warnOfLoss = (deps: GiveBackDeps, held: Claim, error: FailureSummary, message: string): void =>
  deps.telemetry.warn(message, {
    source: held.event.source,
    eventId: held.event.eventId,
    error: error.message,
    errorName: error.name,
  });
