import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import { sha256Hex } from '../../core/inbox-key.ts';
import type { OutboxQueue, SendResult } from '../../core/outbox-ports.ts';
import type { OwedMessage } from '../../core/owed-message.ts';
import { toIso } from '../../core/time.ts';
import { toMessageBody } from './message-body.ts';

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
          const reason = failure.Code ?? 'unknown';
          return { kind: REFUSALS.includes(reason) ? 'refused' : 'not-sent', reason };
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

/**
 * What the message itself is to blame for. `SenderFault` is no measure: SQS says it of throttling too, and of a setting
 * that is wrong.
 */
const REFUSALS = ['BatchRequestTooLong', 'InvalidMessageContents'];

function toEntry(message: OwedMessage, n: number, isFifo: boolean): SendMessageBatchRequestEntry {
  const text = (value: string) => ({ DataType: 'String', StringValue: value });
  return {
    Id: String(n),
    MessageBody: toMessageBody(message.payload),
    MessageAttributes: {
      id: text(message.id),
      topic: text(message.topic),
      // The same on every copy, whenever it is sent: what a consumer tells the age by.
      createdAt: text(toIso(message.createdAt)),
      ...(message.group === undefined ? {} : { group: text(message.group) }),
    },
    // Hashes, because ids and groups may be longer or have other characters than SQS takes (128 of a few kinds).
    ...(isFifo
      ? { MessageDeduplicationId: sha256Hex(message.id), MessageGroupId: sha256Hex(message.group ?? message.id) }
      : {}),
  };
}
