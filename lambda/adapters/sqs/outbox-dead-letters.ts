import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { OncehookError } from '../../core/errors.ts';
import type { MessageDeadLetters } from '../../core/message-ports.ts';
import type { ParkReason } from '../../core/outcome.ts';
import type { QueueMessage } from '../../core/queue-message.ts';

/** The outbox DLQ in SQS, as far as we fill it ourselves. */
export const createOutboxDeadLetters = (
  client: Pick<SQSClient, 'send'>,
  queue: { readonly url: string; readonly isFifo: boolean },
): MessageDeadLetters => ({
  async send(message, reason) {
    try {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queue.url,
          MessageBody: message.body,
          MessageAttributes: Object.fromEntries(
            Object.entries(attributesOf(message, reason)).map(([name, value]) => [
              name,
              { DataType: 'String', StringValue: value },
            ]),
          ),
          ...(queue.isFifo ? fifoIds(message) : {}),
        }),
      );
    } catch (error) {
      throw new OncehookError('QUEUE_UNAVAILABLE', `send: ${error instanceof Error ? error.name : 'unknown'}`, {
        retryable: true,
        cause: error,
      });
    }
  },
});

/** As the message first was: a decision about its age was for this one time. */
function attributesOf({ attributes }: QueueMessage, reason: ParkReason): Readonly<Record<string, string>> {
  const { force: _, ...own } = attributes;
  return { ...own, reason };
}

/**
 * One deduplication id a receive. SQS drops what carries an id that it had within five minutes, and a message may be
 * parked, redriven and parked again in less.
 */
const fifoIds = ({ groupId, messageId, receives }: QueueMessage) => ({
  MessageGroupId: groupId ?? messageId,
  MessageDeduplicationId: `${messageId}-${receives}`,
});
