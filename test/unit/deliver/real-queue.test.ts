import { randomUUID } from 'node:crypto';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeliveriesQueue } from '../../../lambda/adapters/sqs/deliveries-queue.ts';
import { createMessageVisibility } from '../../../lambda/adapters/sqs/message-visibility.ts';
import type { QueueMessage } from '../../../lambda/core/queue-message.ts';
import { createDeliver } from '../../../lambda/deliver/deliver.ts';
import { type SqsServer, startSqsServer } from '../../../local/sqs/sqs-server.ts';
import { A_PLACE } from '../local/fixtures/a-template.ts';
import { aDeliverer, aMessage, anInvocation, aTarget } from './a-deliverer.ts';

const CREDENTIALS = { accessKeyId: 'LOCALSHARED', secretAccessKey: 'secret' };
const MAX_RECEIVES = 3;

let server: SqsServer;
let client: SQSClient;
beforeAll(async () => {
  server = await startSqsServer(A_PLACE, CREDENTIALS);
  client = new SQSClient({ endpoint: server.url, region: A_PLACE.region, credentials: { ...CREDENTIALS } });
});
afterAll(async () => {
  client?.destroy();
  await server?.close();
});

/** A deliveries queue with its DLQ, and a deliverer of which targets answer as `status` says. */
async function aStage(isFifo: boolean, status: (url: string) => number) {
  const ending = `${randomUUID()}${isFifo ? '.fifo' : ''}`;
  const [name, dlqName] = [`deliveries-${ending}`, `dlq-${ending}`];
  const fifo = isFifo ? { FifoQueue: 'true', ContentBasedDeduplication: 'false' } : {};
  const spec = (queueName: string, attributes: Readonly<Record<string, string>>) => ({
    logicalId: queueName,
    name: queueName,
    arn: `arn:aws:sqs:${A_PLACE.region}:${A_PLACE.accountId}:${queueName}`,
    url: '',
    attributes: { ...fifo, ...attributes },
  });
  const dlq = spec(dlqName, {});
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dlq.arn, maxReceiveCount: MAX_RECEIVES });
  await server.createQueues([dlq, spec(name, { VisibilityTimeout: '60', RedrivePolicy })]);

  const { deps, posts, controls } = aDeliverer([
    aTarget(),
    aTarget({ name: 'mail', url: 'https://mail.example.com/' }),
  ]);
  // Back at once, every time.
  controls.random = 0;
  const url = server.urlOf(name);
  const deliver = createDeliver({
    ...deps,
    deliveries: createDeliveriesQueue(client, { url, isFifo }),
    visibility: createMessageVisibility(client, url, deps.telemetry),
    post: async (request) => {
      await deps.post(request);
      return { kind: 'answered', status: status(request.url), retryAfter: undefined };
    },
  });
  return {
    posts,
    split: (message: QueueMessage) => deliver(message, anInvocation()),
    /** Does with one message what Lambda does, if there is one. */
    async turn() {
      const message = await receive(url);
      if (message === undefined) return;
      if ((await deliver(message, anInvocation())) === 'done') {
        await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.receipt }));
      }
    },
    parked: () => receive(server.urlOf(dlqName)),
  };
}

async function receive(url: string): Promise<QueueMessage | undefined> {
  const { Messages: [message] = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    }),
  );
  if (message === undefined) return undefined;
  return aMessage(
    {},
    {
      receipt: message.ReceiptHandle ?? '',
      body: message.Body ?? '',
      receives: Number(message.Attributes?.ApproximateReceiveCount),
      attributes: Object.fromEntries(
        Object.entries(message.MessageAttributes ?? {}).map(([key, { StringValue = '' }]) => [key, StringValue]),
      ),
    },
  );
}

describe.each([false, true])('a target that is down, with outboxFifo %j', (isFifo) => {
  it('has its message in the DLQ after the last attempt, and it is repeated nowhere else', async () => {
    const { split, turn, parked, posts } = await aStage(isFifo, (url) => (url.includes('mail') ? 200 : 503));

    await split(aMessage({ group: 'acct-1' }));
    const to = (host: string) => posts.filter(({ url }) => url.includes(host));
    let found: QueueMessage | undefined;
    await expect
      .poll(
        async () => {
          await turn();
          found ??= await parked();
          return { parked: found !== undefined, mailed: to('mail').length > 0 };
        },
        { timeout: 30_000, interval: 5 },
      )
      .toEqual({ parked: true, mailed: true });

    expect(found).toMatchObject({
      body: '{"amount":5}',
      attributes: { id: 'shop#e1#1', topic: 'receipt.requested', group: 'acct-1', target: 'billing' },
    });
    expect(to('billing')).toHaveLength(MAX_RECEIVES);
    expect(to('mail')).toHaveLength(1);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['shop#e1#1']));
  });
});

describe('a FIFO group', () => {
  it('keeps its order at a target that was down, and goes on at the others', async () => {
    let failures = 0;
    const { split, turn, posts } = await aStage(true, (url) => {
      if (url.includes('mail') || failures === MAX_RECEIVES - 1) return 200;
      failures += 1;
      return 503;
    });

    for (const n of [1, 2]) await split(aMessage({ id: `shop#e${n}#1`, group: 'acct-1' }));
    const to = (host: string) =>
      posts.filter(({ url }) => url.includes(host)).map(({ headers }) => headers['idempotency-key']);
    await expect
      .poll(
        async () => {
          await turn();
          return [to('billing').length, to('mail').length];
        },
        { timeout: 30_000, interval: 5 },
      )
      .toEqual([4, 2]);

    expect(to('billing')).toEqual(['shop#e1#1', 'shop#e1#1', 'shop#e1#1', 'shop#e2#1']);
    expect(to('mail')).toEqual(['shop#e1#1', 'shop#e2#1']);
  });
});
