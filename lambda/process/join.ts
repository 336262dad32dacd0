/**
 * Join: a copy waits for the running one.
 *
 * Most copies arrive within milliseconds of each other and the first one is nearly done, so a short
 * wait turns "try again" into a plain duplicate. The wait reads only; it never touches the claim.
 */
import { decideClaim } from '../core/claim-decision.ts';
import type { InboundEvent } from '../core/event.ts';
import { type InboxRow, isFinished } from '../core/inbox-row.ts';
import type { Clock, InboxStore, Invocation } from '../core/ports.ts';
import { between, type DurationMs, type EpochMs, milliseconds, plus } from '../core/time.ts';

export type JoinResult =
  | { readonly kind: 'finished'; readonly row: InboxRow }
  /** Failed, lapsed or gone: the event may be claimed. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'running'; readonly leaseUntil: EpochMs | undefined };

export interface JoinDeps {
  readonly inbox: InboxStore;
  readonly clock: Clock;
}

/** The first wait; a commit takes about as long. It doubles up to the second value. */
const FIRST_WAIT = milliseconds(50);
const LONGEST_WAIT = milliseconds(400);

/** Left to the answer, so that waiting never becomes the time-out it wants to prevent. */
const TIME_TO_ANSWER = milliseconds(1000);

/** @param budget How long to wait at most. */
export async function join(
  deps: JoinDeps,
  event: InboundEvent,
  budget: DurationMs,
  invocation: Invocation,
): Promise<JoinResult> {
  const giveUpAt = Math.min(plus(deps.clock.now(), budget), plus(invocation.endsAt, -TIME_TO_ANSWER));
  let leaseUntil: EpochMs | undefined;
  for (let wait = FIRST_WAIT; ; wait = milliseconds(Math.min(wait * 2, LONGEST_WAIT))) {
    const left = giveUpAt - deps.clock.now();
    if (left <= 0) return { kind: 'running', leaseUntil };
    await deps.clock.sleep(milliseconds(Math.min(wait, left)));

    const row = await deps.inbox.read(event.key);
    if (row === undefined) return { kind: 'ended' };
    if (isFinished(row)) return { kind: 'finished', row };
    const decision = decideClaim(row, '', deps.clock.now());
    if (decision.kind !== 'in-progress') return { kind: 'ended' };
    leaseUntil = decision.leaseUntil;
  }
}

/** How long a join may take for a provider that waits `deadline` for an answer. */
export const joinBudget = (joinMs: DurationMs, deadline: DurationMs | undefined): DurationMs =>
  deadline === undefined ? joinMs : milliseconds(Math.min(joinMs, Math.floor(deadline / 3)));

/** Whole seconds until the lease is over, at least 1; 1 where it is unknown. */
export const secondsLeft = (now: EpochMs, leaseUntil: EpochMs | undefined): number =>
  leaseUntil === undefined ? 1 : Math.max(1, Math.ceil(between(now, leaseUntil) / 1000));
