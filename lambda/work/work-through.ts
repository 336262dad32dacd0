import type { MessageFate, QueueMessage } from '../core/queue-message.ts';

/** Lambda's answer to a batch of a queue: what is named here is not deleted. */
export interface QueueBatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * Gives each message to `settle`, one after another. Of a FIFO group, nothing after a message that is kept is looked
 * at: it comes again behind it.
 *
 * @param letGo Called with each message that was not looked at, after the one that holds it. A hidden message locks its
 * group, so one that stays hidden would make the wait of the kept one longer.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export async function workThrough(
  messages: readonly QueueMessage[],
  settle: (message: QueueMessage) => Promise<MessageFate>,
  letGo: (message: QueueMessage) => Promise<void> = async () => {},
): Promise<QueueBatchResponse> {
  const kept: QueueMessage[] = [];
  const heldGroups = new Set<string>();
  for (const message of messages) {
    const isHeld = message.groupId !== undefined && heldGroups.has(message.groupId);
    if (isHeld) await letGo(message);
    else if ((await settle(message)) === 'done') continue;
    kept.push(message);
    if (message.groupId !== undefined) heldGroups.add(message.groupId);
  }
  return { batchItemFailures: kept.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
