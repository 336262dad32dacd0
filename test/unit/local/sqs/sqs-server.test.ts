import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sayLostMessages } from '../../../../local/sqs/lost-messages.ts';
import { type SqsServer, startSqsServer } from '../../../../local/sqs/sqs-server.ts';
import type { QueueSpec } from '../../../../local/template/queue-specs.ts';
import { A_PLACE } from '../fixtures/a-template.ts';

const CREDENTIALS = { accessKeyId: 'LOCALSHARED', secretAccessKey: 'secret' };

let server: SqsServer;
const clients: SQSClient[] = [];
beforeAll(async () => {
  server = await startSqsServer(A_PLACE, CREDENTIALS);
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await server?.close();
});

function clientWith(accessKeyId: string): SQSClient {
  const client = new SQSClient({
    endpoint: server.url,
    region: A_PLACE.region,
    credentials: { ...CREDENTIALS, accessKeyId },
    maxAttempts: 1,
  });
  clients.push(client);
  return client;
}

const aQueue = (name: string, attributes: Readonly<Record<string, string>> = {}): QueueSpec => ({
  logicalId: name,
  name,
  arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
  url: '',
  attributes,
});

const attributesOf = async (name: string) =>
  (
    await clientWith(CREDENTIALS.accessKeyId).send(
      new GetQueueAttributesCommand({ QueueUrl: server.urlOf(name), AttributeNames: ['All'] }),
    )
  ).Attributes;

describe('the SQS server', () => {
  it('has the queues with their attributes, FIFO ones too', async () => {
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: aQueue('dead').arn, maxReceiveCount: 5 });

    await server.createQueues([
      aQueue('dead'),
      aQueue('plain', { VisibilityTimeout: '180', RedrivePolicy }),
      aQueue('first.fifo', { FifoQueue: 'true', ContentBasedDeduplication: 'false', VisibilityTimeout: '7' }),
    ]);

    expect(await attributesOf('plain')).toMatchObject({ QueueArn: aQueue('plain').arn, VisibilityTimeout: '180' });
    expect(JSON.parse((await attributesOf('plain'))?.['RedrivePolicy'] ?? '')).toEqual(JSON.parse(RedrivePolicy));
    expect(await attributesOf('first.fifo')).toMatchObject({ FifoQueue: 'true', VisibilityTimeout: '7' });
  });

  it('keeps the messages of a queue whose attributes change', async () => {
    await server.createQueues([aQueue('kept', { VisibilityTimeout: '1' })]);
    await server.send('kept', 'one');

    await server.createQueues([aQueue('kept', { VisibilityTimeout: '2' })]);

    expect(await attributesOf('kept')).toMatchObject({ VisibilityTimeout: '2', ApproximateNumberOfMessages: '1' });
  });

  it('counts every message, also those that somebody has in hand or that are delayed', async () => {
    await server.createQueues([aQueue('counted')]);
    const client = clientWith(CREDENTIALS.accessKeyId);
    const QueueUrl = server.urlOf('counted');
    await server.send('counted', 'in hand');
    await client.send(new ReceiveMessageCommand({ QueueUrl }));
    await server.send('counted', 'there');
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 60 }));

    const counts = await server.countMessages();

    expect(counts).toMatchObject({ counted: 3 });
    expect(counts).not.toHaveProperty('dead');
  });

  it('refuses who does not sign with the access key', async () => {
    await server.createQueues([aQueue('private')]);

    const sending = clientWith('LOCALOTHER').send(
      new SendMessageCommand({ QueueUrl: server.urlOf('private'), MessageBody: 'x' }),
    );

    await expect(sending).rejects.toMatchObject({ message: expect.stringContaining('security token') });
    expect(await attributesOf('private')).toMatchObject({ ApproximateNumberOfMessages: '0' });
  });
});

describe('the messages that are gone at the end', () => {
  it('are said by queue, and not at all when there are none', () => {
    expect(sayLostMessages({})).toBeUndefined();
    expect(sayLostMessages({ outbox: 1 })).toBe('1 message is gone with the queues, which are in memory: 1 in outbox');
    expect(sayLostMessages({ outbox: 2, dead: 1 })).toContain('3 messages are gone');
  });
});
