import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seconds } from '../../../lambda/core/time.ts';
import type { OperatorQueue } from '../../../lambda/operator/deployment/queue-port.ts';
import { createOperatorQueue } from '../../../lambda/operator/outside/aws/operator-queue.ts';
import { type SqsServer, startSqsServer } from '../../../local/sqs/sqs-server.ts';
import { A_PLACE } from '../local/fixtures/a-template.ts';

/* Over a real SQS server. */

const CREDENTIALS = { accessKeyId: 'LOCALSHARED', secretAccessKey: 'secret' };

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

async function aQueue(
  name: string,
  attributes?: Record<string, string>,
): Promise<OperatorQueue & { readonly url: string }> {
  await client.send(new CreateQueueCommand({ QueueName: name, ...(attributes && { Attributes: attributes }) }));
  const url = server.urlOf(name);
  return { ...createOperatorQueue({ client, url, isLocal: false }), url };
}

describe('a queue of an operator', { timeout: 60_000 }, () => {
  it('hides what it gives, and shows it again when it is given back', async () => {
    const queue = await aQueue('given-back');
    for (let n = 0; n < 12; n += 1) await queue.send({ body: `${n}`, attributes: {}, fifo: undefined });

    const first = await queue.receive(seconds(300));
    const second = await queue.receive(seconds(300));
    const none = await queue.receive(seconds(300));
    const problem = await queue.giveBack([...first, ...second]);
    const again = [...(await queue.receive(seconds(300))), ...(await queue.receive(seconds(300)))];

    expect([first.length, second.length, none.length, problem]).toEqual([10, 2, 0, undefined]);
    expect(again.map(({ messageId }) => messageId).sort()).toEqual(
      [...first, ...second].map(({ messageId }) => messageId).sort(),
    );
    expect(await queue.depth()).toBe(12);
  });

  it('reads what a message says of itself', async () => {
    const queue = await aQueue('read');
    await queue.send({ body: 'body', attributes: { id: 'stripe#evt_1#1', topic: 'receipt' }, fifo: undefined });

    const [message] = await queue.receive(seconds(300));

    expect(message).toMatchObject({
      body: 'body',
      attributes: { id: 'stripe#evt_1#1', topic: 'receipt' },
      receives: 1,
      sentAt: expect.any(Number),
      groupId: undefined,
    });
  });

  it('removes one message', async () => {
    const queue = await aQueue('removed');
    await queue.send({ body: 'one', attributes: {}, fifo: undefined });
    await queue.send({ body: 'two', attributes: {}, fifo: undefined });

    const messages = await queue.receive(seconds(300));
    const one = messages.find(({ body }) => body === 'one');
    if (one === undefined) throw new Error('not received');
    await queue.remove(one);

    expect(await queue.depth()).toBe(1);
  });

  it('sends in a group, and tells the group of what it receives', async () => {
    const queue = await aQueue('grouped.fifo', { FifoQueue: 'true' });
    await queue.send({ body: 'one', attributes: {}, fifo: { groupId: 'g', deduplicationId: 'd-1' } });
    await queue.send({ body: 'one', attributes: {}, fifo: { groupId: 'g', deduplicationId: 'd-1' } });

    const messages = await queue.receive(seconds(300));

    expect(queue.isFifo).toBe(true);
    expect(messages.map(({ body, groupId }) => [body, groupId])).toEqual([['one', 'g']]);
  });

  it('sends JSON with characters that SQS does not take, and they mean the same', async () => {
    const queue = await aQueue('characters');
    const body = JSON.stringify({ text: '\uffff' });
    await queue.send({ body, attributes: {}, fifo: undefined });

    const [message] = await queue.receive(seconds(300));

    expect(JSON.parse(message?.body ?? '')).toEqual({ text: '\uffff' });
  });

  it('says in one line that there is no such queue', async () => {
    const queue = createOperatorQueue({ client, url: server.urlOf('nowhere'), isLocal: false });

    await expect(queue.depth()).rejects.toThrow('there is no queue nowhere in this account and Region');
  });

  it('says why messages could not be given back, and throws nothing', async () => {
    const queue = createOperatorQueue({ client, url: server.urlOf('nowhere'), isLocal: false });
    const other = await aQueue('elsewhere');
    await client.send(new SendMessageCommand({ QueueUrl: other.url, MessageBody: 'x' }));

    expect(await queue.giveBack(await other.receive(seconds(300)))).toMatch(/there is no queue nowhere/);
  });
});
