import {
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../../../local/functions/invocation.ts';
import { systemTimers } from '../../../../local/functions/timers.ts';
import type { Mapping } from '../../../../local/mappings/mapping.ts';
import type { MappingFaultKind } from '../../../../local/mappings/mapping-faults.ts';
import type { QueueMappingSpec } from '../../../../local/mappings/mapping-spec.ts';
import { type PolledQueue, startQueueMapping } from '../../../../local/mappings/queue-mapping.ts';
import type { QueueRecord } from '../../../../local/mappings/queue-record.ts';
import { type SqsServer, startSqsServer } from '../../../../local/sqs/sqs-server.ts';
import { A_PLACE, FIXTURE_BUNDLE } from '../fixtures/a-template.ts';
import { type RunningPool, startPool } from '../functions/a-function.ts';

const CREDENTIALS = { accessKeyId: 'LOCALSHARED', secretAccessKey: 'secret' };
const DONE: InvocationResult = { kind: 'returned', payload: 'null' };
/** Nothing here should take so long; the machine may. */
const PATIENCE = { timeout: 20_000, interval: 20 };

let server: SqsServer;
let client: SQSClient;
let mapping: Mapping | undefined;
let queues = 0;
let queueName: string;
beforeAll(async () => {
  server = await startSqsServer(A_PLACE, CREDENTIALS);
  client = new SQSClient({ endpoint: server.url, region: A_PLACE.region, credentials: { ...CREDENTIALS } });
});
afterAll(async () => {
  client?.destroy();
  await server?.close();
});
beforeEach(() => {
  queues += 1;
  queueName = `queue-${queues}`;
});
afterEach(async () => {
  mapping?.stop();
  await mapping?.ended;
  mapping = undefined;
});

interface Setting {
  readonly spec?: Partial<QueueMappingSpec>;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly answer?: (records: readonly QueueRecord[], nth: number) => Promise<InvocationResult>;
  readonly denied?: () => string | undefined;
  readonly befalls?: (kind: MappingFaultKind) => boolean;
  readonly queue?: Partial<PolledQueue>;
}

interface Started {
  readonly arn: string;
  readonly batches: QueueRecord[][];
  readonly said: string[];
  readonly begin: () => Mapping;
}

/** A mapping from a new queue. */
async function start(setting: Setting = {}): Promise<Started> {
  const { spec, attributes = {}, answer = async () => DONE, denied, befalls = () => false } = setting;
  if (attributes['FifoQueue'] === 'true') queueName = `${queueName}.fifo`;
  const arn = `arn:aws:sqs:us-east-1:000000000000:${queueName}`;
  await server.createQueues([{ logicalId: 'Q', name: queueName, arn, url: '', attributes }]);
  const batches: QueueRecord[][] = [];
  const said: string[] = [];
  const begin = (): Mapping => {
    mapping = startQueueMapping(
      {
        from: 'queue',
        logicalId: 'Mapping',
        queueName,
        queueArn: arn,
        functionKey: 'work',
        functionName: 'Work',
        batchSize: 10,
        windowMs: 0,
        maxConcurrency: 5,
        reportsItemFailures: true,
        ...spec,
      },
      {
        queue: { ...server, ...setting.queue },
        region: A_PLACE.region,
        requireAccess() {
          const message = denied?.();
          if (message !== undefined) throw new Error(message);
        },
        async invoke(_, payload) {
          const { Records: records }: { Records: QueueRecord[] } = JSON.parse(payload);
          batches.push(records);
          return answer(records, batches.length);
        },
        now: Date.now,
        timers: systemTimers,
        troubles: { befalls },
        say: (text) => said.push(text),
      },
    );
    return mapping;
  };
  return { batches, said, begin, arn };
}

const send = (MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
  client.send(new SendMessageCommand({ QueueUrl: server.urlOf(queueName), MessageBody, ...more }));

const sendAll = (bodies: readonly string[], group?: (body: string) => string) =>
  client.send(
    new SendMessageBatchCommand({
      QueueUrl: server.urlOf(queueName),
      Entries: bodies.map((MessageBody) => ({
        Id: MessageBody,
        MessageBody,
        ...(group !== undefined && { MessageGroupId: group(MessageBody), MessageDeduplicationId: MessageBody }),
      })),
    }),
  );

const bodiesOf = (records: readonly QueueRecord[]) => records.map(({ body }) => body);
const leftOver = async () => (await server.countMessages())[queueName] ?? 0;
const expectEmpty = () => expect.poll(leftOver, PATIENCE).toBe(0);
const failing = (...ids: readonly string[]): InvocationResult => ({
  kind: 'returned',
  payload: JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }),
});

describe('the mapping of a queue', () => {
  it('gives the function a message as Lambda makes it, and deletes it when that is done', async () => {
    const { batches, begin, arn } = await start();
    const { MessageId, MD5OfMessageBody, MD5OfMessageAttributes } = await send('{"a":1}', {
      MessageAttributes: {
        topic: { DataType: 'String', StringValue: 'paid' },
        raw: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2]) },
      },
    });

    begin();
    await expectEmpty();

    const digits = expect.stringMatching(/^\d{13}$/);
    expect(batches).toEqual([
      [
        {
          messageId: MessageId,
          receiptHandle: expect.any(String),
          body: '{"a":1}',
          attributes: {
            ApproximateReceiveCount: '1',
            SentTimestamp: digits,
            SenderId: expect.any(String),
            ApproximateFirstReceiveTimestamp: digits,
          },
          messageAttributes: {
            topic: { stringValue: 'paid', stringListValues: [], binaryListValues: [], dataType: 'String' },
            raw: { binaryValue: 'AQI=', stringListValues: [], binaryListValues: [], dataType: 'Binary' },
          },
          md5OfBody: MD5OfMessageBody,
          md5OfMessageAttributes: MD5OfMessageAttributes,
          eventSource: 'aws:sqs',
          eventSourceARN: arn,
          awsRegion: 'us-east-1',
        },
      ],
    ]);
  });

  it('leaves what a partial answer names to the queue, and that alone comes again', async () => {
    const { batches, begin } = await start({
      attributes: { VisibilityTimeout: '1' },
      answer: async (records, nth) =>
        nth === 1 ? failing(records.find(({ body }) => body === 'b')?.messageId ?? '') : DONE,
    });
    await sendAll(['a', 'b', 'c']);

    begin();
    await expectEmpty();

    expect(batches.map(bodiesOf)).toEqual([['a', 'b', 'c'], ['b']]);
    expect(batches[1]?.[0]?.attributes['ApproximateReceiveCount']).toBe('2');
  });

  it('brings a message that always fails to the DLQ', async () => {
    await server.createQueues([{ logicalId: 'D', name: 'dead', arn: '', url: '', attributes: {} }]);
    const { batches, begin } = await start({
      attributes: {
        VisibilityTimeout: '1',
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead',
          maxReceiveCount: 2,
        }),
      },
      answer: async () => ({ kind: 'failed', reason: 'x' }),
    });
    await send('poison');

    begin();
    await expect.poll(async () => (await server.countMessages())['dead'], PATIENCE).toBe(1);

    expect(batches.map(bodiesOf)).toEqual([['poison'], ['poison']]);
  });

  it('gives no more at a time than a batch has, and has no more batches at a time than it may', async () => {
    const open: (() => void)[] = [];
    const { batches, begin } = await start({
      spec: { batchSize: 2, maxConcurrency: 2 },
      answer: async () => {
        await new Promise<void>((resolve) => open.push(resolve));
        return DONE;
      },
    });
    await sendAll(['a', 'b', 'c', 'd', 'e']);

    begin();
    await expect.poll(() => batches.length, PATIENCE).toBe(2);
    const inHand = await server.receive(queueName, { max: 10, waitSeconds: 0, signal: new AbortController().signal });
    expect(inHand.map(({ Body }) => Body)).toEqual(['e']);
    await send('f');
    open[0]?.();
    await expect.poll(() => batches.length, PATIENCE).toBe(3);

    expect(batches.map(bodiesOf)).toEqual([['a', 'b'], ['c', 'd'], ['f']]);
    for (const each of open) each();
  });

  it('waits with a batch that is not full for as long as its window is open', async () => {
    let polls = 0;
    const { batches, begin } = await start({
      spec: { batchSize: 3, windowMs: 60_000 },
      queue: {
        async receive(name, options) {
          polls += 1;
          if (polls === 2) await sendAll(['b', 'c']);
          return server.receive(name, options);
        },
      },
    });
    await send('a');

    begin();
    await expectEmpty();

    expect(batches.map(bodiesOf)).toEqual([['a', 'b', 'c']]);
  });

  it('keeps a FIFO group in order, one message in hand at a time, with a failure in between', async () => {
    const inHand = new Set<string>();
    const clashes: string[] = [];
    const { batches, begin } = await start({
      attributes: { FifoQueue: 'true', VisibilityTimeout: '1' },
      async answer(records, nth) {
        const groups = records.map(({ attributes }) => attributes['MessageGroupId'] ?? '');
        clashes.push(...groups.filter((group) => inHand.has(group)));
        for (const group of groups) inHand.add(group);
        await new Promise((resolve) => setImmediate(resolve));
        for (const group of groups) inHand.delete(group);
        return nth === 1 ? { kind: 'failed', reason: 'x' } : DONE;
      },
    });
    await sendAll(['a1', 'b1', 'a2', 'b2', 'a3'], (body) => body.charAt(0));

    begin();
    await expectEmpty();

    const worked = batches.slice(1).flat();
    const ofGroup = (group: string) => bodiesOf(worked).filter((body) => body.startsWith(group));
    expect(ofGroup('a')).toEqual(['a1', 'a2', 'a3']);
    expect(ofGroup('b')).toEqual(['b1', 'b2']);
    expect(clashes).toEqual([]);
    expect(worked[0]?.attributes).toMatchObject({
      MessageGroupId: expect.stringMatching(/^[ab]$/),
      MessageDeduplicationId: expect.any(String),
      SequenceNumber: expect.stringMatching(/^\d{20}$/),
    });
  });

  it('stands still without a grant, says so once, and goes on when it is given', async () => {
    let message: string | undefined = 'User: x is not authorized to perform: sqs:ReceiveMessage';
    let asked = 0;
    const { batches, said, begin } = await start({
      denied() {
        asked += 1;
        return message;
      },
    });
    await send('a');

    begin();
    await expect.poll(() => asked, PATIENCE).toBeGreaterThan(1);

    expect(batches).toEqual([]);
    expect(said).toEqual([`the queue mapping of work stands still: ${message}`]);
    message = undefined;
    await expectEmpty();
  });

  it('gives the function a batch again that has worked when it is told to', async () => {
    const { batches, begin } = await start({ befalls: (kind) => kind === 'batch-repeats' });
    await send('a');

    begin();
    await expectEmpty();

    expect(batches.map(bodiesOf)).toEqual([['a'], ['a']]);
  });

  it('gives the function a message again that could not be deleted', async () => {
    let deletes = 0;
    const { batches, said, begin } = await start({
      attributes: { VisibilityTimeout: '1' },
      befalls: (kind) => kind === 'delete-fails' && ++deletes === 1,
    });
    await send('a');

    begin();
    await expectEmpty();

    expect(batches.map(bodiesOf)).toEqual([['a'], ['a']]);
    expect(said).toEqual(['not deleted, so what is done comes again (1): local AWS was told to fail']);
  });

  it('begins no batch while it is paused, and the pause waits for the one that runs', async () => {
    const answered = Promise.withResolvers<InvocationResult>();
    const { batches, begin } = await start({ spec: { maxConcurrency: 1 }, answer: () => answered.promise });
    await send('a');
    const running = begin();
    await expect.poll(() => batches.length, PATIENCE).toBe(1);
    const order: string[] = [];

    const paused = running.pause().then(() => order.push('paused'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('answered');
    answered.resolve(DONE);
    await paused;
    await send('b');

    expect(order).toEqual(['answered', 'paused']);
    expect(await leftOver()).toBe(1);
    expect(batches.map(bodiesOf)).toEqual([['a']]);
    running.resume();
    await expectEmpty();
    expect(batches.map(bodiesOf)).toEqual([['a'], ['b']]);
  });

  it('ends at once while it polls, while it is paused and while it may not poll', async () => {
    const polling = await start();
    const first = polling.begin();
    first.stop();
    await first.ended;
    const second = polling.begin();
    await second.pause();
    second.stop();
    await second.ended;
    const third = (await start({ denied: () => 'no' })).begin();
    third.stop();

    await expect(third.ended).resolves.toBeUndefined();
  });
});

describe('a function that a queue leads to', () => {
  let pool: RunningPool | undefined;
  afterEach(() => pool?.close());

  it.each([
    ['that throws', 'throw', 10_000],
    ['that ends its process', 'exit', 10_000],
    ['that is over its time', 'hang', 300],
  ])('%s leaves its message to the queue', async (_, what, timeoutMs) => {
    const running = startPool({ codeDirectory: FIXTURE_BUNDLE, timeoutMs });
    pool = running;
    const results: string[] = [];
    const { batches, begin } = await start({
      attributes: { VisibilityTimeout: '1' },
      async answer(records, nth) {
        if (nth > 1) return DONE;
        const result = await running.pool.invoke(records[0]?.body ?? '');
        results.push(result.kind);
        return result;
      },
    });
    await send(JSON.stringify({ do: what }));

    begin();
    await expectEmpty();

    expect(results).not.toContain('returned');
    expect(batches).toHaveLength(2);
  });
});
