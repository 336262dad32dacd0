import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Telemetry } from '../../core/ports.ts';
import type { MessageVisibility } from '../../core/queue-message.ts';

/**
 * How long SQS hides a message at most, counted from its receipt: 12 hours, less a margin for the time since then, the
 * 15 minutes that a function may run at most.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const MAX_HIDDEN_SECONDS = 12 * 3600 - 900;

/** The visibility of a queue's messages in SQS. */
export const createMessageVisibility = (
  client: Pick<SQSClient, 'send'>,
  url: string,
  telemetry: Pick<Telemetry, 'warn'>,
): MessageVisibility => ({
  async hide(message, duration) {
    try {
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: url,
          ReceiptHandle: message.receipt,
          VisibilityTimeout: Math.min(MAX_HIDDEN_SECONDS, Math.max(0, Math.ceil(duration / 1000))),
        }),
      );
    } catch (error) {
      telemetry.warn('the wait of a message could not be set; it comes again when the queue says', {
        messageId: message.messageId,
        errorName: error instanceof Error ? error.name : typeof error,
      });
    }
  },
});
