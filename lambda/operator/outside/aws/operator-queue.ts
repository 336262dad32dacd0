import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { MAX_BATCH_MESSAGES, toMessageBody } from '../../../adapters/sqs/message-body.ts';
import type { QueueMessage } from '../../../core/queue-message.ts';
import { type EpochMs, epochMs } from '../../../core/time.ts';
import type { OperatorQueue } from '../../deployment/queue-port.ts';
import { oneLine } from '../../refusal.ts';
import { explaining } from './explain-error.ts';

/**
 * With a wait, SQS asks all of its servers: an empty answer then means that nothing is visible.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-short-and-long-polling.html
 */
const WAIT_SECONDS = 1;

export interface SqsQueue {
  readonly client: Pick<SQSClient, 'send'>;
  readonly url: string;
  readonly isLocal: boolean;
}

/** A queue in SQS. */
export function createOperatorQueue({ client, url, isLocal }: SqsQueue): OperatorQueue {
  const ask = <T>(action: string, call: () => Promise<T>): Promise<T> =>
    explaining({ service: 'sqs', action, resource: `queue ${nameOfQueue(url)}`, isLocal }, call);

  return {
    isFifo: url.endsWith('.fifo'),
    depth: () =>
      ask('GetQueueAttributes', async () => {
        const { Attributes: attributes = {} } = await client.send(
          new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...DEPTHS] }),
        );
        return DEPTHS.reduce((sum, name) => sum + Number(attributes[name] ?? 0), 0);
      }),
    receive: (hide) =>
      ask('ReceiveMessage', async () => {
        const { Messages: messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl: url,
            MaxNumberOfMessages: MAX_BATCH_MESSAGES,
            VisibilityTimeout: Math.ceil(hide / 1000),
            WaitTimeSeconds: WAIT_SECONDS,
            MessageAttributeNames: ['All'],
            MessageSystemAttributeNames: ['All'],
          }),
        );
        return messages.map(readReceived);
      }),
    async giveBack(messages) {
      let problem: string | undefined;
      for (let n = 0; n < messages.length; n += MAX_BATCH_MESSAGES) {
        const batch = messages.slice(n, n + MAX_BATCH_MESSAGES);
        try {
          const { Failed: failed = [] } = await ask('ChangeMessageVisibility', () =>
            client.send(
              new ChangeMessageVisibilityBatchCommand({
                QueueUrl: url,
                Entries: batch.map(({ receipt }, m) => ({
                  Id: String(m),
                  ReceiptHandle: receipt,
                  VisibilityTimeout: 0,
                })),
              }),
            ),
          );
          if (failed[0] !== undefined) problem = failed[0].Code ?? 'SQS did not say why';
        } catch (error) {
          problem = oneLine(error);
        }
      }
      return problem;
    },
    send: ({ body, attributes, fifo }) =>
      ask('SendMessage', async () => {
        await client.send(
          new SendMessageCommand({
            QueueUrl: url,
            MessageBody: toMessageBody(body),
            MessageAttributes: Object.fromEntries(
              Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
            ),
            ...(fifo === undefined
              ? {}
              : { MessageGroupId: fifo.groupId, MessageDeduplicationId: fifo.deduplicationId }),
          }),
        );
      }),
    remove: ({ receipt }) =>
      ask('DeleteMessage', async () => {
        await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipt }));
      }),
  };
}

const DEPTHS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

export const nameOfQueue = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

function readReceived(message: Message): QueueMessage {
  const { Attributes: system = {}, MessageAttributes: own = {} } = message;
  return {
    messageId: message.MessageId ?? '',
    receipt: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    receives: Number(system.ApproximateReceiveCount ?? 1),
    sentAt: instant(system.SentTimestamp),
    firstReceivedAt: instant(system.ApproximateFirstReceiveTimestamp),
    groupId: system.MessageGroupId,
    attributes: Object.fromEntries(
      Object.entries(own).flatMap(([name, { StringValue: value }]) => (value === undefined ? [] : [[name, value]])),
    ),
  };
}

/** SQS writes milliseconds as text. */
const instant = (text: string | undefined): EpochMs | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? epochMs(Number(text)) : undefined;
