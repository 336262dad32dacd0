import type { OutboxMessage } from '../core/ports.ts';
import type { MessageFate } from '../core/queue-message.ts';
import type { DeliverDeps } from './deliver.ts';

/** Sends one message a target that wants it. The message is done when the queue has all of them. */
export async function splitMessage(
  { targets, deliveries, telemetry }: DeliverDeps,
  message: OutboxMessage,
): Promise<MessageFate> {
  const wanting = targets.filter(({ topics }) => topics === undefined || topics.includes(message.topic));
  if (wanting.length === 0) {
    telemetry.unwanted(message);
    return 'done';
  }

  const results = await deliveries.send(wanting.map(({ name }) => ({ ...message, target: name })));
  const missed = wanting.flatMap(({ name }, n) => {
    const result = results[n];
    return result?.kind === 'sent' ? [] : [`${name}: ${result?.reason ?? 'no result'}`];
  });
  if (missed.length === 0) return 'done';

  telemetry.warn('a message could not be queued for every target', {
    messageId: message.id,
    topic: message.topic,
    reason: missed.join(', '),
  });
  return 'keep';
}
