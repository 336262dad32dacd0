/**
 * Deliver: a message of the outbox queue, to every target that wants it.
 *
 * There are two hops, so that a target that is slow or down repeats nothing at the others. A message of the outbox
 * queue is split into one message a target, on the deliveries queue, and is done when SQS has them all. There each is
 * posted, and tried again, on its own.
 *
 * A crash between the two repeats a split, and one between a target's answer and the deletion repeats a request. Both
 * have the same Idempotency-Key as before, by which the target knows a copy.
 */
import type { DeliveriesQueue, DeliverTelemetry, HttpPost } from '../core/deliver-ports.ts';
import type { Chance, Clock, Invocation, OutboxMessage, SecretSource } from '../core/ports.ts';
import type { MessageFate, MessageVisibility, QueueMessage } from '../core/queue-message.ts';
import type { Target } from '../core/target.ts';
import { postMessage } from './post-message.ts';
import { splitMessage } from './split-message.ts';

export interface DeliverDeps {
  readonly targets: readonly Target[];
  readonly deliveries: DeliveriesQueue;
  /** Of the deliveries queue. */
  readonly visibility: MessageVisibility;
  readonly secrets: SecretSource;
  readonly post: HttpPost;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly telemetry: DeliverTelemetry;
}

export type Deliver = (message: QueueMessage, invocation: Invocation) => Promise<MessageFate>;

/** What is kept here without being hidden comes again when its queue's time-out ends, and SQS parks it at last. */
export function createDeliver(deps: DeliverDeps): Deliver {
  return async (message, invocation) => {
    // There would be no time to hear the answer.
    if (invocation.signal.aborted) return 'keep';

    const owed = readOutboxMessage(message);
    if (owed === undefined) {
      deps.telemetry.warn('a message is none of the outbox', { sqsMessageId: message.messageId });
      return 'keep';
    }
    const { target } = message.attributes;
    return target === undefined
      ? splitMessage(deps, owed)
      : postMessage(deps, { ...owed, target }, message, invocation.signal);
  };
}

function readOutboxMessage({ attributes, body }: QueueMessage): OutboxMessage | undefined {
  const { id, topic, group } = attributes;
  return id === undefined || topic === undefined ? undefined : { id, topic, group, payload: body };
}
