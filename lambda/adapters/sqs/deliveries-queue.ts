import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import type { AddressedMessage, DeliveriesQueue } from '../../core/deliver-ports.ts';
import { sha256Hex } from '../../core/inbox-key.ts';
import type { SendResult } from '../../core/outbox-ports.ts';
import { MAX_BATCH_MESSAGES, MAX_MESSAGE_BYTES, toMessageBody } from './message-body.ts';

/** The deliveries queue in SQS: one message a target, of the kind that the outbox queue is. */
export function createDeliveriesQueue(
  client: Pick<SQSClient, 'send'>,
  queue: { readonly url: string; readonly isFifo: boolean },
): DeliveriesQueue {
  return {
    async send(messages) {
      const results: SendResult[] = [];
      for (const batch of toBatches(messages)) results.push(...(await sendBatch(client, queue, batch)));
      return results;
    },
  };
}

/** Of a message to many targets the bytes are the same: as many as fit one batch. */
function toBatches(messages: readonly AddressedMessage[]): readonly (readonly AddressedMessage[])[] {
  const largest = Math.max(1, ...messages.map(sizeOf));
  const count = Math.max(1, Math.min(MAX_BATCH_MESSAGES, Math.floor(MAX_MESSAGE_BYTES / largest)));
  return Array.from({ length: Math.ceil(messages.length / count) }, (_, n) =>
    messages.slice(n * count, (n + 1) * count),
  );
}

async function sendBatch(
  client: Pick<SQSClient, 'send'>,
  queue: { readonly url: string; readonly isFifo: boolean },
  messages: readonly AddressedMessage[],
): Promise<readonly SendResult[]> {
  const entries = messages.map((message, n) => toEntry(message, n, queue.isFifo));
  try {
    const { Successful: successful = [], Failed: failed = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl: queue.url, Entries: entries }),
    );
    return entries.map(({ Id: id }): SendResult => {
      if (successful.some((entry) => entry.Id === id)) return { kind: 'sent' };
      const reason = failed.find((entry) => entry.Id === id)?.Code ?? 'not mentioned in the answer';
      return { kind: 'not-sent', reason };
    });
  } catch (error) {
    return messages.map(
      (): SendResult => ({ kind: 'not-sent', reason: error instanceof Error ? error.name : 'unknown' }),
    );
  }
}

function toEntry(message: AddressedMessage, n: number, isFifo: boolean): SendMessageBatchRequestEntry {
  const { id, group, target } = message;
  return {
    Id: String(n),
    MessageBody: toMessageBody(message.payload),
    MessageAttributes: Object.fromEntries(
      attributesOf(message).map(([name, value]) => [name, { DataType: TEXT, StringValue: value }]),
    ),
    // Hashes, as in the outbox queue. A target has groups of its own, so that none waits for another; its name has no #.
    ...(isFifo
      ? {
          MessageDeduplicationId: sha256Hex(`${target}#${id}`),
          MessageGroupId: sha256Hex(group === undefined ? `${target}#id#${id}` : `${target}#group#${group}`),
        }
      : {}),
  };
}

const TEXT = 'String';

const attributesOf = ({ id, topic, group, target }: AddressedMessage): readonly (readonly [string, string])[] => [
  ['id', id],
  ['topic', topic],
  ...(group === undefined ? [] : [['group', group] as const]),
  ['target', target],
];

/** Bytes of a message as SQS counts them: body, and of each attribute name, type and value. */
const sizeOf = (message: AddressedMessage): number =>
  attributesOf(message).reduce(
    (bytes, [name, value]) => bytes + Buffer.byteLength(name) + TEXT.length + Buffer.byteLength(value),
    Buffer.byteLength(toMessageBody(message.payload)),
  );
