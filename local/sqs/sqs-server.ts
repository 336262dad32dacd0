import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { accessKeyOf } from '../gateway/credential.ts';
import { LOOPBACK } from '../http/loopback-server.ts';
import type { Credentials } from '../local-aws.ts';
import type { Place } from '../template/physical-names.ts';
import type { QueueSpec } from '../template/queue-specs.ts';

/** Where the queues of the stack are. Their messages are in memory, and gone at the end. */
export interface SqsServer {
  readonly url: string;
  /** The queue's URL for people and tests, past the gateway. */
  urlOf(queueName: string): string;
  /** Creates the queues that are not there yet, and gives all of them the attributes of the template. */
  createQueues(queues: readonly QueueSpec[]): Promise<void>;
  send(queueName: string, body: string): Promise<void>;
  /** Messages by queue name, in flight and delayed ones too; queues without any are left out. */
  countMessages(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

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
  app.addHook('onRequest', async (request, reply) => {
    if (accessKeyOf(request.headers.authorization ?? '') === credentials.accessKeyId) return;
    await reply.code(403).type('application/x-amz-json-1.0').send(STRANGER);
  });
  const url = await app.listen({ port: 0, host: LOOPBACK });
  // A copy of the credentials, because the client adds a field to those it is given.
  const client = new SQSClient({ endpoint: url, region: place.region, credentials: { ...credentials } });
  const known = new Set<string>();
  const urlOf = (queueName: string): string => `${url}/${place.accountId}/${queueName}`;

  async function count(queueName: string): Promise<number> {
    const { Attributes: attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: urlOf(queueName), AttributeNames: [...COUNTS] }),
    );
    return COUNTS.reduce((sum, name) => sum + Number(attributes[name] ?? 0), 0);
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
    async countMessages() {
      const counts = await Promise.all([...known].map(async (name) => [name, await count(name)] as const));
      return Object.fromEntries(counts.filter(([, messages]) => messages > 0));
    },
    async close() {
      client.destroy();
      await app.close();
    },
  };
}

const STRANGER = {
  __type: 'com.amazon.coral.service#UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
};
