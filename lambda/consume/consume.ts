/**
 * Consume: one message of the outbox queue, applied once.
 *
 * To the inbox a message is an event with the outbox id as its event id, and the same claim → handle → commit applies
 * it. So a message that the dispatcher sent twice, that SQS delivers twice, or that a redrive brings back is a
 * duplicate.
 *
 * The message is its own safety: it is deleted when it is finished or in the DLQ, and stays otherwise. SQS counts its
 * receives and moves it to the DLQ after the last one. That count is all that ends a message which nobody can read, and
 * one that kills its process; and every receive uses it up, also one that only waits. A wait for a lease therefore ends
 * after it, and the waits for a store that is down grow until they last for hours together.
 *
 * What a crash leaves behind:
 * - before the commit: the message becomes visible when the queue's time-out ends, after the lease of what died;
 * - after it: the next receive is a duplicate;
 * - after the sending to the DLQ and before the row is parked: the message comes again and is sent there again. It may
 *   be there twice; it is applied once, by its id.
 */
import type { Consumer } from '../authoring/once-consumer.ts';
import { assertNever } from '../core/assert-never.ts';
import { retryWait } from '../core/backoff.ts';
import type { ConsumerTelemetry, MessageDeadLetters } from '../core/message-ports.ts';
import type { EventOutcome } from '../core/outcome.ts';
import type { Chance, Clock, Invocation } from '../core/ports.ts';
import type { MessageFate, MessageVisibility, QueueMessage } from '../core/queue-message.ts';
import { between, type DurationMs, hours, milliseconds, plus, seconds } from '../core/time.ts';
import { LEASE_MARGIN } from '../process/claim.ts';
import type { EventContext } from '../process/event-context.ts';
import type { ProcessEvent } from '../process/process-event.ts';
import { type QueueBatchResponse, workThrough } from '../work/work-through.ts';
import { messageRule } from './message-rule.ts';
import { type ReadMessage, readMessage } from './read-message.ts';

/**
 * Attempts after which a message is parked: as many as the outbox queue allows receives. When each receive was an
 * attempt, the last one parks the message, with its reason, just before SQS would move it without one. Where some were
 * waits, SQS is first, and the row says how far it came. More attempts could never be made; with fewer, a message
 * would be parked by one copy while another still has receives left.
 */
export const MAX_ATTEMPTS = 5;

/** The longest wait after the first failed attempt; twice that after the next, four minutes after the fourth. */
export const RETRY_AFTER = seconds(30);

/** Added to waits for a lease: the clocks of SQS and of the functions differ a little. */
const AFTER_LEASE = seconds(5);

/** What ends in seconds. */
const SOON = seconds(5);

/** Five receives of a store that is down take more than an hour. */
const OUTAGE_FACTOR = 12;
const LONGEST_OUTAGE_WAIT = hours(1);

export interface ConsumeDeps {
  readonly consumer: Consumer;
  readonly processEvent: ProcessEvent;
  readonly deadLetters: MessageDeadLetters;
  readonly visibility: MessageVisibility;
  readonly clock: Pick<Clock, 'now'>;
  readonly chance: Pick<Chance, 'random'>;
  readonly telemetry: ConsumerTelemetry;
}

/** One batch of the queue, a message after another; FIFO groups stay in their order. */
export const consumeBatch = (
  deps: ConsumeDeps,
  messages: readonly QueueMessage[],
  invocation: Invocation,
): Promise<QueueBatchResponse> =>
  workThrough(
    messages,
    (message) => consume(deps, message, invocation),
    (message) => deps.visibility.hide(message, milliseconds(0)),
  );

async function consume(deps: ConsumeDeps, message: QueueMessage, invocation: Invocation): Promise<MessageFate> {
  const read = readMessage(message);
  if (read.kind === 'unreadable') {
    deps.telemetry.warn('a message of the outbox queue cannot be read', {
      messageId: message.messageId,
      reason: read.reason,
    });
    return 'keep';
  }

  const startedAt = deps.clock.now();
  const outcome = await deps.processEvent(read.event, contextOf(deps, message, read), invocation);
  deps.telemetry.messageEnded(read.name, outcome, between(startedAt, deps.clock.now()));

  const wait = waitAfter(deps, message, outcome, invocation);
  if (wait === 'none') return 'done';
  await deps.visibility.hide(message, wait);
  return 'keep';
}

const contextOf = (
  deps: ConsumeDeps,
  message: QueueMessage,
  { name, force }: Extract<ReadMessage, { readonly kind: 'read' }>,
): EventContext => ({
  rule: messageRule(deps.consumer.handle, name),
  deadline: undefined,
  olderThanWindow: force ? 'process' : 'park',
  // A message cannot note when later was first asked for; it was not before its first receive.
  postponedSince: message.firstReceivedAt,
  // A message in the DLQ was sent there before its row was parked, and may keep that time when it is moved back.
  sentAt: undefined,
  // The message itself comes again.
  queue: undefined,
  park: (reason) => deps.deadLetters.send(message, reason),
});

/** For how long the message is hidden; `none` when it is done. */
function waitAfter(
  deps: ConsumeDeps,
  message: QueueMessage,
  outcome: EventOutcome,
  invocation: Invocation,
): DurationMs | 'none' {
  switch (outcome.kind) {
    case 'processed':
    case 'duplicate':
    case 'superseded':
    case 'ignored':
    case 'queued':
    case 'parked':
    case 'already-parked':
    case 'expired':
      return 'none';
    case 'in-progress':
      return sum(seconds(outcome.retryAfterSeconds), AFTER_LEASE);
    case 'claim-lost':
      // Whoever has it now began at about the same time, and lives no longer.
      return sum(untilLeaseEnds(deps, invocation), AFTER_LEASE);
    case 'too-little-time':
      return SOON;
    case 'failed':
      return retryWait(outcome.attempt > 0 ? outcome.attempt : message.receives, RETRY_AFTER, deps.chance.random());
    case 'retry-later':
      return seconds(outcome.retryAfterSeconds);
    case 'store-down':
    case 'malformed':
      // The claim may be held all the same.
      return sum(untilLeaseEnds(deps, invocation), outageWait(message.receives));
    default:
      return assertNever(outcome);
  }
}

const untilLeaseEnds = ({ clock }: ConsumeDeps, { endsAt }: Invocation): DurationMs =>
  milliseconds(Math.max(0, between(clock.now(), plus(endsAt, LEASE_MARGIN))));

const outageWait = (receives: number): DurationMs =>
  milliseconds(Math.min(LONGEST_OUTAGE_WAIT, SOON * OUTAGE_FACTOR ** (receives - 1)));

const sum = (one: DurationMs, other: DurationMs): DurationMs => milliseconds(one + other);
