import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { sha256Hex } from '../../core/inbox-key.ts';
import type { OutboxQueue, SendResult } from '../../core/outbox-ports.ts';
import type { OwedMessage } from '../../core/owed-message.ts';

/** The client of the functions: time-outs set, one repetition inside the SDK. */
export const createSqsClient = (): SQSClient =>
  new SQSClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 700, requestTimeout: 3000, throwOnRequestTimeout: true },
  });

/** The outbox queue in SQS. */
export function createOutboxQueue(
  client: Pick<SQSClient, 'send'>,
  queue: { readonly url: string; readonly isFifo: boolean },
): OutboxQueue {
  return {
    sizeOf: (message) => {
      const { MessageBody: body = '', MessageAttributes: attributes = {} } = toEntry(message, 0, queue.isFifo);
      return Object.entries(attributes).reduce(
        (bytes, [name, { DataType: type = '', StringValue: value = '' }]) =>
          bytes + Buffer.byteLength(name) + Buffer.byteLength(type) + Buffer.byteLength(value),
        Buffer.byteLength(body),
      );
    },
    async send(messages) {
      const entries = messages.map((message, n) => toEntry(message, n, queue.isFifo));
      try {
        const { Successful: successful = [], Failed: failed = [] } = await client.send(
          new SendMessageBatchCommand({ QueueUrl: queue.url, Entries: entries }),
        );
        return messages.map((_, n): SendResult => {
          const id = String(n);
          if (successful.some((entry) => entry.Id === id)) return { kind: 'sent' };
          const failure = failed.find((entry) => entry.Id === id);
          if (failure === undefined) return { kind: 'not-sent', reason: 'not mentioned in the answer' };
          return { kind: failure.SenderFault === true ? 'refused' : 'not-sent', reason: failure.Code ?? 'unknown' };
        });
      } catch (error) {
        const name = error instanceof Error ? error.name : 'unknown';
        // A batch of one that is too large can never be sent; of a larger batch nobody knows which one it was.
        const kind = REFUSALS.includes(name) && messages.length === 1 ? 'refused' : 'not-sent';
        return messages.map((): SendResult => ({ kind, reason: name }));
      }
    },
  };
}

const REFUSALS = ['BatchRequestTooLong', 'InvalidMessageContents', 'InvalidParameterValue'];

function toEntry(message: OwedMessage, n: number, isFifo: boolean): SendMessageBatchRequestEntry {
  const text = (value: string) => ({ DataType: 'String', StringValue: value });
  return {
    Id: String(n),
    MessageBody: toBody(message.payload),
    MessageAttributes: {
      id: text(message.id),
      topic: text(message.topic),
      ...(message.group === undefined ? {} : { group: text(message.group) }),
    },
    // Hashes, because ids and groups may be longer or have other characters than SQS takes (128 of a few kinds).
    ...(isFifo
      ? { MessageDeduplicationId: sha256Hex(message.id), MessageGroupId: sha256Hex(message.group ?? message.id) }
      : {}),
  };
}

/**
 * Two characters that JSON may have as they are and SQS may not; escaped, they mean the same.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const toBody = (json: string): string => json.replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff');
