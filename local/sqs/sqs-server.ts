import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { LOOPBACK } from '../http/loopback-server.ts';
import type { Credentials } from '../local-aws.ts';
import type { PolledQueue } from '../mappings/queue-mapping.ts';
import type { Place } from '../template/physical-names.ts';
import type { QueueSpec } from '../template/queue-specs.ts';
import { refuseStrangers } from './refuse-strangers.ts';

/** Where the queues of the stack are. Their messages are in memory, and gone at the end. */
export interface SqsServer extends PolledQueue {
  /** Its program serves S3 at the same address. */
  readonly url: string;
  /** The queue's URL for people and tests, past the gateway. */
  urlOf(queueName: string): string;
  /** Creates the queues that are not there yet, and gives all of them the attributes of the template. */
  createQueues(queues: readonly QueueSpec[]): Promise<void>;
  send(queueName: string, body: string): Promise<void>;
  /** Messages by queue name, in flight and delayed ones too; queues without any are left out. */
  countMessages(): Promise<Readonly<Record<string, number>>>;
  /** Messages that can be received from a queue now; `undefined` when there is no such queue. */
  countVisible(queueName: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Most messages that one request deletes.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessageBatch.html */
const MAX_PER_DELETE = 10;

/** What can be set at creation and never again. */
const AT_CREATION = new Set(['FifoQueue', 'DeduplicationScope', 'FifoThroughputLimit']);

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/**
 * Starts the SQS server on the loopback address. It answers only who signs with our access key, because
 * other users of this machine can reach the port as well.
 */
export async function startSqsServer(place: Place, credentials: Credentials): Promise<SqsServer> {
  const app = buildApp({ logger: false, defaultRegion: place.region });
  refuseStrangers(app, credentials.accessKeyId);
  const url = await app.listen({ port: 0, host: LOOPBACK });
  // A copy of the credentials, because the client adds a field to those it is given.
  const client = new SQSClient({ endpoint: url, region: place.region, credentials: { ...credentials } });
  const known = new Set<string>();
  const urlOf = (queueName: string): string => `${url}/${place.accountId}/${queueName}`;

  async function count(queueName: string, names: readonly (typeof COUNTS)[number][] = COUNTS): Promise<number> {
    const { Attributes: attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: urlOf(queueName), AttributeNames: [...names] }),
    );
    return names.reduce((sum, name) => sum + Number(attributes[name] ?? 0), 0);
  }

  return {
    url,
    urlOf,
    async createQueues(queues) {
      for (const { name, attributes } of queues) {
        const entries = Object.entries(attributes);
        const fixed = Object.fromEntries(entries.filter(([attribute]) => AT_CREATION.has(attribute)));
        const settable = Object.fromEntries(entries.filter(([attribute]) => !AT_CREATION.has(attribute)));
        await client.send(new CreateQueueCommand({ QueueName: name, Attributes: fixed }));
        await client.send(new SetQueueAttributesCommand({ QueueUrl: urlOf(name), Attributes: settable }));
        known.add(name);
      }
    },
    async send(queueName, body) {
      await client.send(new SendMessageCommand({ QueueUrl: urlOf(queueName), MessageBody: body }));
    },
    async receive(queueName, { max, waitSeconds, signal }) {
      const { Messages: messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: urlOf(queueName),
          MaxNumberOfMessages: max,
          WaitTimeSeconds: waitSeconds,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        }),
        { abortSignal: signal },
      );
      return messages;
    },
    async deleteMessages(queueName, receiptHandles) {
      for (let from = 0; from < receiptHandles.length; from += MAX_PER_DELETE) {
        const entries = receiptHandles.slice(from, from + MAX_PER_DELETE);
        await client.send(
          new DeleteMessageBatchCommand({
            QueueUrl: urlOf(queueName),
            Entries: entries.map((ReceiptHandle, n) => ({ Id: String(n), ReceiptHandle })),
          }),
        );
      }
    },
    async countMessages() {
      const counts = await Promise.all([...known].map(async (name) => [name, await count(name)] as const));
      return Object.fromEntries(counts.filter(([, messages]) => messages > 0));
    },
    async countVisible(queueName) {
      return known.has(queueName) ? count(queueName, ['ApproximateNumberOfMessages']) : undefined;
    },
    async close() {
      client.destroy();
      await app.close();
    },
  };
}
