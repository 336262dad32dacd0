/**
 * One event, applied once: claim → handle → commit. Receiver and worker both call this; there is
 * no second path.
 *
 *            put                 commit
 *   (no row) ───▶ claimed ─────────────────▶ processed ──┐
 *                │ ▲  │ ╲ order passed                   │ window over
 *        release │ │  │  ╲──────────────────▶ superseded ┴──▶ (no row)
 *                ▼ │  ▼ last attempt
 *            failed │ parked      parked, failed and lapsed claims are taken over
 *                   └──┘
 *
 * What a crash leaves behind, line by line:
 * - before the claim: nothing; the sender was not answered and sends again;
 * - after it, in the handler or before the commit: a claimed row whose lease ends; recorded steps stay;
 * - after the commit was sent: committed or not, and the next copy finds out which;
 * - after the commit, before the answer: the next copy is a duplicate;
 * - after a failure: `give-back.ts` says.
 *
 * What kills its process throws nothing. Each attempt is counted when it is begun, so an event whose attempts
 * were all used up is parked before it can kill another one.
 *
 * A worker that was frozen past its lease wakes up as a zombie. Everything it can still write has
 * the condition `claimToken = :mine AND #status = :claimed`, so it changes nothing.
 */
import { assertNever } from '../core/assert-never.ts';
import { expiryOf } from '../core/dedup-window.ts';
import { isOncehookError, type OncehookError } from '../core/errors.ts';
import type { InboundEvent } from '../core/event.ts';
import type { EventRule } from '../core/handler.ts';
import { ConditionFailed } from '../core/handler-errors.ts';
import type { InboxRow } from '../core/inbox-row.ts';
import { type EventOutcome, type FailureSummary, type ParkReason, summarise } from '../core/outcome.ts';
import type { Claim, Invocation, RefusedWrite, Telemetry } from '../core/ports.ts';
import { between, type DurationMs } from '../core/time.ts';
import { type ClaimDeps, type ClaimResult, claim } from './claim.ts';
import { commit } from './commit.ts';
import type { EventContext } from './event-context.ts';
import { type GiveBackDeps, giveBack, park, uncounted } from './give-back.ts';
import { type AttemptFailure, handle, toFailure } from './handle.ts';
import { join, joinBudget, secondsLeft } from './join.ts';
import { retryWrite } from './retry-write.ts';
import { createSteps } from './steps.ts';
import { createUnitOfWork } from './unit-of-work.ts';
import type { KeysOf } from './writes.ts';

export interface ProcessDeps extends ClaimDeps, GiveBackDeps {
  readonly telemetry: Pick<Telemetry, 'warn' | 'attemptMeasured'>;
  /** How long a copy waits for the running one. */
  readonly joinMs: DurationMs;
  /** Names of the inbox, outbox and sequences tables. */
  readonly reservedTables: readonly string[];
  readonly keysOf: KeysOf;
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
          return await attempt(deps, rule, claimed, context, invocation);
        case 'duplicate':
          return duplicate(deps, event, claimed.row);
        case 'in-progress':
          return { kind: 'in-progress', retryAfterSeconds: secondsLeft(deps.clock.now(), claimed.leaseUntil) };
        case 'expired':
          if (context.olderThanWindow === 'park') await context.park('expired', undefined);
          return { kind: 'expired' };
        case 'already-parked':
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
  const wishes = {
    ignoreAge: context.olderThanWindow === 'process',
    sentAt: context.sentAt,
    // What killed one process may kill this one too, and then nobody would be left to say so.
    beforeLapsed: async (lease: DurationMs) => context.queue?.(lease),
  };
  const first = await claim(deps, event, invocation, wishes);
  if (first.kind !== 'in-progress') return first;

  const joined = await join(deps, event, joinBudget(deps.joinMs, context.deadline), invocation);
  switch (joined.kind) {
    case 'finished':
      return { kind: 'duplicate', row: joined.row };
    case 'running':
      return { kind: 'in-progress', leaseUntil: joined.leaseUntil ?? first.leaseUntil };
    case 'ended':
      return claim(deps, event, invocation, wishes);
    default:
      return assertNever(joined);
  }
}

async function attempt(
  deps: ProcessDeps,
  rule: EventRule<never>,
  { claim: held, fromLapsed }: Extract<ClaimResult, { readonly kind: 'claimed' }>,
  context: EventContext,
  invocation: Invocation,
): Promise<EventOutcome> {
  if (held.attempts > deps.maxAttempts) {
    return await park(deps, held, context, invocation, ...usedUp(held));
  }
  const retry = <T>(write: () => Promise<T>): Promise<T> => retryWrite(deps, invocation, write);
  const steps = createSteps({ ...deps, retry }, held);
  const unit = createUnitOfWork(held, invocation, steps, {
    reservedTables: deps.reservedTables,
    keysOf: deps.keysOf,
    ownItems: rule.order === undefined ? 1 : 2,
  });

  const begunAt = deps.clock.now();
  const handled = await handle(rule, held, unit);
  const measures = { fromLapsed, handler: between(begunAt, deps.clock.now()) };
  if (handled.kind !== 'done') {
    deps.telemetry.attemptMeasured(held.event.source, { ...measures, commit: undefined, conflicts: 0 });
  }
  if (steps.hasLostClaim()) return { kind: 'claim-lost' };
  const fail = (failure: AttemptFailure): Promise<EventOutcome> => giveBack(deps, held, context, invocation, failure);
  if (handled.kind !== 'done') return await fail(handled);

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
    const { answer, conflicts } = await commit(deps, send, invocation);
    const commitTook = between(committedAt, deps.clock.now());
    deps.telemetry.attemptMeasured(held.event.source, { ...measures, commit: commitTook, conflicts });
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
        return await fail(toFailure(toConditionFailed(answer.refused)));
      case 'invalid':
        return await fail({ kind: 'permanent', error: commitError(answer.message) });
      case 'busy':
        return await fail({ kind: 'failed', error: commitError(`the commit stayed busy: ${answer.reason}`) });
      case 'unknown':
        return await fail({ kind: 'failed', error: commitError(`the commit was not answered: ${answer.message}`) });
      default:
        return assertNever(answer);
    }
  } catch (error) {
    if (isOncehookError(error) && error.code === 'INVALID_WORK') return await fail(toFailure(error));
    if (isOncehookError(error) && error.code === 'STORE_MISCONFIGURED') await withdraw(deps, held, invocation, error);
    throw error;
  }
}

/** The deployment is wrong and not the event: the attempt does not count, or an outage of rights would park it. */
async function withdraw(deps: ProcessDeps, held: Claim, invocation: Invocation, error: OncehookError): Promise<void> {
  const release = () => deps.inbox.release(held, deps.clock.now(), summarise(error), uncounted(held));
  try {
    await retryWrite(deps, invocation, release);
  } catch (lost) {
    if (!isOncehookError(lost)) throw lost;
    deps.telemetry.warn('the claim could not be given back', { ...named(held.event), reason: lost.code });
  }
}

/** Marks an event whose order was passed; nothing of it was written. */
async function supersede(deps: ProcessDeps, held: Claim, invocation: Invocation): Promise<EventOutcome> {
  const at = deps.clock.now();
  const answer = await retryWrite(deps, invocation, () => deps.inbox.supersede(held, at, expiryOf(at, deps.window)));
  return answer === 'claim-lost' ? { kind: 'claim-lost' } : { kind: 'superseded', attempt: held.attempts };
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

/** Why an event is parked whose attempts were all used up before this one. */
function usedUp(held: Claim): readonly [ParkReason, FailureSummary] {
  const made = held.attempts - 1;
  const crashed = made - held.failures;
  return crashed > 0
    ? [
        'crashes',
        { name: 'Crashed', message: `${crashed} of ${made} attempts ended without an error: they ended their process` },
      ]
    : [
        'max-attempts',
        {
          name: 'AttemptsUsedUp',
          message: `all ${made} attempts failed, and the event could not be parked by the last`,
        },
      ];
}

const commitError = (message: string): Error => Object.assign(new Error(message), { name: 'CommitFailed' });
