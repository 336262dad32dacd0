/**
 * One event, applied once: claim → handle → commit. Receiver and worker both call this; there is
 * no second path.
 *
 *            put                 commit
 *   (no row) ───▶ claimed ─────────────────▶ processed ──┐
 *                  │  ▲  ╲ order passed                  │ window over
 *          release │  │   ╲──────────────────▶ superseded ┴──▶ (no row)
 *                  ▼  │ take over
 *                 failed          a lapsed claim is taken over the same way
 *
 * What a crash leaves behind, line by line:
 * - before the claim: nothing; the sender was not answered and sends again;
 * - after it, in the handler or before the commit: a claimed row whose lease ends; recorded steps stay;
 * - after the commit was sent: committed or not, and the next copy finds out which;
 * - after the commit, before the answer: the next copy is a duplicate.
 *
 * A worker that was frozen past its lease wakes up as a zombie. Everything it can still write has
 * the condition `claimToken = :mine AND #status = :claimed`, so it changes nothing.
 */
import { assertNever } from '../core/assert-never.ts';
import { expiryOf } from '../core/dedup-window.ts';
import { isOncehookError } from '../core/errors.ts';
import type { InboundEvent } from '../core/event.ts';
import type { EventRule } from '../core/handler.ts';
import { ConditionFailed } from '../core/handler-errors.ts';
import type { InboxRow } from '../core/inbox-row.ts';
import { type EventOutcome, summarise } from '../core/outcome.ts';
import type { Claim, FencedAnswer, Invocation, RefusedWrite, Telemetry } from '../core/ports.ts';
import type { DurationMs } from '../core/time.ts';
import { type ClaimDeps, type ClaimResult, claim } from './claim.ts';
import { commit } from './commit.ts';
import { type AttemptFailure, handle, toFailure } from './handle.ts';
import { join, joinBudget, secondsLeft } from './join.ts';
import { retryWrite } from './retry-write.ts';
import { createSteps } from './steps.ts';
import { createUnitOfWork } from './unit-of-work.ts';
import type { KeysOf } from './writes.ts';

export interface ProcessDeps extends ClaimDeps {
  readonly telemetry: Telemetry;
  /** How long a copy waits for the running one. */
  readonly joinMs: DurationMs;
  /** Names of the inbox, outbox and sequences tables. */
  readonly reservedTables: readonly string[];
  readonly keysOf: KeysOf;
}

export interface EventContext {
  /** `undefined` when no handler is registered for any of the event's types. */
  readonly rule: EventRule<never> | undefined;
  /** How long the provider waits for an answer, where that is known. */
  readonly deadline: DurationMs | undefined;
}

export type ProcessEvent = (
  event: InboundEvent,
  context: EventContext,
  invocation: Invocation,
) => Promise<EventOutcome>;

/** Nothing is thrown: one event that nobody foresaw must not keep the others of its delivery from their turn. */
export function createProcessEvent(deps: ProcessDeps): ProcessEvent {
  return async (event, context, invocation) => {
    const { rule } = context;
    if (rule === undefined) return { kind: 'ignored' };
    try {
      const claimed = await claimOrJoin(deps, event, context, invocation);
      switch (claimed.kind) {
        case 'claimed':
          return await attempt(deps, rule, claimed.claim, invocation);
        case 'duplicate':
          return duplicate(deps, event, claimed.row);
        case 'in-progress':
          return { kind: 'in-progress', retryAfterSeconds: secondsLeft(deps.clock.now(), claimed.leaseUntil) };
        case 'expired':
        case 'claim-lost':
        case 'too-little-time':
          return { kind: claimed.kind };
        default:
          return assertNever(claimed);
      }
    } catch (error) {
      if (!isOncehookError(error)) {
        deps.telemetry.warn('an error that nobody foresaw', { ...named(event), errorName: summarise(error).name });
        return { kind: 'failed', attempt: 0, error: summarise(error) };
      }
      deps.telemetry.warn('the event could not be worked on', {
        ...named(event),
        reason: error.code,
        error: summarise(error).message,
      });
      return { kind: 'store-down', reason: error.code };
    }
  };
}

/** Claims; waits for a running copy, and if that one failed or lapsed claims again, once. */
async function claimOrJoin(
  deps: ProcessDeps,
  event: InboundEvent,
  context: EventContext,
  invocation: Invocation,
): Promise<ClaimResult> {
  const first = await claim(deps, event, invocation);
  if (first.kind !== 'in-progress') return first;

  const joined = await join(deps, event, joinBudget(deps.joinMs, context.deadline), invocation);
  switch (joined.kind) {
    case 'finished':
      return { kind: 'duplicate', row: joined.row };
    case 'running':
      return { kind: 'in-progress', leaseUntil: joined.leaseUntil ?? first.leaseUntil };
    case 'ended':
      return claim(deps, event, invocation);
    default:
      return assertNever(joined);
  }
}

async function attempt(
  deps: ProcessDeps,
  rule: EventRule<never>,
  held: Claim,
  invocation: Invocation,
): Promise<EventOutcome> {
  const retry = <T>(write: () => Promise<T>): Promise<T> => retryWrite(deps, invocation, write);
  const steps = createSteps({ ...deps, retry }, held);
  const unit = createUnitOfWork(held, invocation, steps, {
    reservedTables: deps.reservedTables,
    keysOf: deps.keysOf,
    ownItems: rule.order === undefined ? 1 : 2,
  });

  const handled = await handle(rule, held, unit);
  if (steps.hasLostClaim()) return { kind: 'claim-lost' };
  if (handled.kind !== 'done') return await giveBack(deps, held, invocation, handled);

  const committedAt = deps.clock.now();
  const expiresAt = expiryOf(committedAt, deps.window);
  try {
    const send = deps.inbox.prepareCommit({
      claim: held,
      committedAt,
      expiresAt,
      result: handled.result,
      order: handled.order,
      writes: unit.writes,
      messages: unit.messages,
    });
    const answer = await commit(deps, send, invocation);
    switch (answer.kind) {
      case 'committed':
        return { kind: 'processed', attempt: held.attempts };
      case 'duplicate':
        return { kind: 'duplicate', bodyMismatch: false };
      case 'claim-lost':
        return { kind: 'claim-lost' };
      case 'superseded':
        return await supersede(deps, held, invocation);
      case 'condition-failed':
        return await giveBack(deps, held, invocation, toFailure(toConditionFailed(answer.refused)));
      case 'invalid':
        return await giveBack(deps, held, invocation, { kind: 'permanent', error: commitError(answer.message) });
      case 'busy':
        return await giveBack(deps, held, invocation, {
          kind: 'failed',
          error: commitError(`the commit stayed busy: ${answer.reason}`),
        });
      case 'unknown':
        return await giveBack(deps, held, invocation, {
          kind: 'failed',
          error: commitError(`the commit was not answered: ${answer.message}`),
        });
      default:
        return assertNever(answer);
    }
  } catch (error) {
    if (isOncehookError(error) && error.code === 'INVALID_WORK')
      return await giveBack(deps, held, invocation, toFailure(error));
    throw error;
  }
}

/** Marks an event whose order was passed; nothing of it was written. */
async function supersede(deps: ProcessDeps, held: Claim, invocation: Invocation): Promise<EventOutcome> {
  const at = deps.clock.now();
  const answer = await retryWrite(deps, invocation, () => deps.inbox.supersede(held, at, expiryOf(at, deps.window)));
  return answer === 'claim-lost' ? { kind: 'claim-lost' } : { kind: 'superseded', attempt: held.attempts };
}

/** Releases after a failed attempt. The row stays: attempts, steps and the first receipt survive. */
async function giveBack(
  deps: ProcessDeps,
  held: Claim,
  invocation: Invocation,
  failure: AttemptFailure,
): Promise<EventOutcome> {
  const error = summarise(failure.error);
  let answer: FencedAnswer;
  try {
    answer = await retryWrite(deps, invocation, () => deps.inbox.release(held, deps.clock.now(), error));
  } catch (lost) {
    // The lease ends the claim instead; why the attempt failed must not be lost with the release.
    deps.telemetry.warn('the claim could not be given back after a failed attempt', {
      ...named(held.event),
      error: error.message,
      errorName: error.name,
    });
    throw lost;
  }
  if (answer === 'committed') return { kind: 'processed', attempt: held.attempts };
  if (answer === 'claim-lost') return { kind: 'claim-lost' };
  return failure.kind === 'retry-later'
    ? { kind: 'retry-later', attempt: held.attempts, retryAfterSeconds: failure.seconds, error }
    : { kind: failure.kind, attempt: held.attempts, error };
}

function duplicate(deps: ProcessDeps, event: InboundEvent, row: InboxRow): EventOutcome {
  const bodyMismatch = row.bodyHash !== event.bodyHash;
  if (bodyMismatch) {
    deps.telemetry.warn('a duplicate came with another body; the first one counts', {
      ...named(event),
      firstBodyHash: row.bodyHash,
      bodyHash: event.bodyHash,
    });
  }
  return { kind: 'duplicate', bodyMismatch };
}

const named = (event: InboundEvent) => ({ source: event.source, eventId: event.eventId });

const toConditionFailed = (refused: RefusedWrite): ConditionFailed =>
  new ConditionFailed(refused.table, refused.key, refused.item);

const commitError = (message: string): Error => Object.assign(new Error(message), { name: 'CommitFailed' });
