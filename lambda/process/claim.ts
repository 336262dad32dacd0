/**
 * Claim: who works on the event.
 *
 * The inbox row is the only authority. A new event is claimed by one conditional put; if a row is
 * there, DynamoDB returns it with the refusal and {@link decideClaim} reads it, so neither way needs
 * a read first.
 *
 * Races, and what stops them:
 * - two copies put at once: `attribute_not_exists(id)` lets one through, the other sees its row;
 * - two workers find one lapsed or failed row: the take-over demands the token and the status that
 *   were seen, so the second one is refused and reads what the first one wrote;
 * - the holder commits between look and take-over: token or status differ, the same refusal;
 * - the answer to my own put is lost and the SDK sends it again: the row has my token, so it is mine;
 * - the row vanishes under me (TTL): the put is tried again.
 *
 * A crash right after the put leaves a row whose lease ends by itself. The lease ends when this
 * invocation must have ended, so nobody can take over from a worker that may still write; and if
 * clocks differ, the token in every later write refuses the slower one.
 */
import { assertNever } from '../core/assert-never.ts';
import { type ClaimDecision, decideClaim } from '../core/claim-decision.ts';
import { type DedupWindow, expiryOf, mayBeForgotten } from '../core/dedup-window.ts';
import type { InboundEvent } from '../core/event.ts';
import type { InboxRow } from '../core/inbox-row.ts';
import type { Chance, Claim, Clock, InboxStore, Invocation, WantedClaim, WriteAnswer } from '../core/ports.ts';
import { between, type DurationMs, type EpochMs, milliseconds, plus } from '../core/time.ts';

export interface ClaimDeps {
  readonly inbox: InboxStore;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly window: DedupWindow;
}

export type ClaimResult =
  /** `fromLapsed`: from a worker that died, or froze. */
  | { readonly kind: 'claimed'; readonly claim: Claim; readonly fromLapsed: boolean }
  | { readonly kind: 'duplicate'; readonly row: InboxRow }
  /** `leaseUntil` is unknown while a transaction holds the row. */
  | { readonly kind: 'in-progress'; readonly leaseUntil: EpochMs | undefined }
  | { readonly kind: 'expired' }
  | { readonly kind: 'already-parked' }
  | { readonly kind: 'claim-lost' }
  | { readonly kind: 'too-little-time' };

/** Below this no attempt is begun: it could claim and not finish. */
export const MIN_TIME_TO_CLAIM = milliseconds(2000);

/** Added to the end of the invocation: Lambda may kill a little later than it says. */
export const LEASE_MARGIN = milliseconds(1000);

/** How often a row that changes under us is looked at again before the sender is asked to come back. */
const MAX_ROUNDS = 3;

export interface ClaimWishes {
  /** Somebody decided that the event's age does not matter. */
  readonly ignoreAge: boolean;
  /** When the copy was put into the queue that it came from. */
  readonly sentAt: EpochMs | undefined;
  /** Called before a lapsed claim is taken over, with the length of the new lease; what it throws ends the claiming. */
  readonly beforeLapsed: (lease: DurationMs) => Promise<void>;
}

export async function claim(
  deps: ClaimDeps,
  event: InboundEvent,
  invocation: Invocation,
  wishes: ClaimWishes,
): Promise<ClaimResult> {
  const now = deps.clock.now();
  if (between(now, invocation.endsAt) < MIN_TIME_TO_CLAIM) return { kind: 'too-little-time' };

  const wanted: WantedClaim = {
    event,
    token: deps.chance.token(),
    leaseUntil: plus(invocation.endsAt, LEASE_MARGIN),
    // Of an old event that is applied all the same, the receipt is no measure: its row would be born expired.
    expiresAt: expiryOf(wishes.ignoreAge ? now : event.receivedAt, deps.window),
  };
  const unproven = !wishes.ignoreAge && mayBeForgotten(event, now, deps.window);
  let seen = unproven ? await deps.inbox.read(event.key) : undefined;
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    // No row, and it would not be there any more if the event had been applied: somebody must decide.
    if (seen === undefined && unproven) return { kind: 'expired' };

    const decision = seen === undefined ? ABSENT : decideClaim(seen, wanted.token, deps.clock.now(), wishes.sentAt);
    if (decision.kind === 'take-over' && seen?.status === 'claimed') {
      await wishes.beforeLapsed(between(deps.clock.now(), wanted.leaseUntil));
    }
    const step = await act(deps, wanted, seen, decision, unproven);
    if (step.kind !== 'look-again') return step;
    seen = step.row;
  }
  return { kind: 'claim-lost' };
}

const ABSENT = { kind: 'absent' } as const;

type Step = ClaimResult | { readonly kind: 'look-again'; readonly row: InboxRow | undefined };

async function act(
  deps: ClaimDeps,
  wanted: WantedClaim,
  seen: InboxRow | undefined,
  decision: ClaimDecision | typeof ABSENT,
  unproven: boolean,
): Promise<Step> {
  if (decision.kind === 'absent' || seen === undefined) return read(wanted, await deps.inbox.putClaim(wanted), false);
  switch (decision.kind) {
    case 'mine':
      return claimedBy(wanted, seen, false);
    case 'in-progress':
      return { kind: 'in-progress', leaseUntil: decision.leaseUntil };
    case 'duplicate':
      return { kind: 'duplicate', row: seen };
    case 'already-parked':
      return { kind: 'already-parked' };
    case 'forgotten':
      return unproven ? { kind: 'expired' } : read(wanted, await deps.inbox.replaceForgotten(wanted, seen), false);
    case 'take-over':
      return read(wanted, await deps.inbox.takeOver(wanted, seen, decision), seen.status === 'claimed');
    default:
      return assertNever(decision);
  }
}

function read(wanted: WantedClaim, answer: WriteAnswer, fromLapsed: boolean): Step {
  switch (answer.kind) {
    case 'written':
      return claimedBy(wanted, answer.row, fromLapsed);
    case 'exists':
      return { kind: 'look-again', row: answer.row };
    case 'gone':
      return { kind: 'look-again', row: undefined };
    case 'committing':
      return { kind: 'in-progress', leaseUntil: undefined };
    default:
      return assertNever(answer);
  }
}

const claimedBy = (wanted: WantedClaim, row: InboxRow, fromLapsed: boolean): Step => ({
  kind: 'claimed',
  fromLapsed,
  claim: {
    event: wanted.event,
    token: wanted.token,
    attempts: row.attempts,
    failures: row.failures,
    receivedAt: row.receivedAt,
    steps: row.steps,
  },
});
