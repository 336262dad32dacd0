import {
  CloudWatchClient,
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
  type MetricDataQuery,
} from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogFeed, type WritableLogFeed } from '../../../../local/functions/log-feed.ts';
import type { ServiceServer } from '../../../../local/gateway/service-server.ts';
import { startMetricsServer } from '../../../../local/monitoring/metrics-server.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

let logs: WritableLogFeed;
let server: ServiceServer;
let client: CloudWatchClient;

const clientWith = (accessKeyId: string) =>
  new CloudWatchClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
    maxAttempts: 1,
  });

beforeEach(async () => {
  logs = createLogFeed();
  server = await startMetricsServer({
    accessKeyId: 'LOCAL1',
    logs,
    countVisible: async (queueName) => (queueName === 'dlq' ? 3 : undefined),
  });
  client = clientWith('LOCAL1');
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

/** A line as the functions write it: each metric by source and once without. */
function emit(source: string, values: Readonly<Record<string, number | number[]>>, atMs = NOON): void {
  const metrics = Object.keys(values).map((Name) => ({ Name, Unit: 'Count' }));
  const directive = { Namespace: 'Oncehook', Dimensions: [['source'], []], Metrics: metrics };
  const fields = { _aws: { Timestamp: atMs, CloudWatchMetrics: [directive] }, source, ...values };
  logs.write({ functionKey: 'receive', instanceId: 'i-1', from: 'function', text: JSON.stringify(fields) });
}

const query = (
  Id: string,
  MetricName: string,
  { stat = 'Sum', source = '', period = 60, unit = undefined as 'Count' | 'Milliseconds' | undefined } = {},
): MetricDataQuery => ({
  Id,
  MetricStat: {
    Metric: {
      Namespace: 'Oncehook',
      MetricName,
      Dimensions: source === '' ? [] : [{ Name: 'source', Value: source }],
    },
    Stat: stat,
    Period: period,
    ...(unit !== undefined && { Unit: unit }),
  },
});

async function ask(queries: MetricDataQuery[], more: Partial<GetMetricDataCommandInput> = {}) {
  const { MetricDataResults: results = [] } = await client.send(
    new GetMetricDataCommand({
      MetricDataQueries: queries,
      StartTime: new Date(NOON),
      EndTime: new Date(NOON + 3_600_000),
      ScanBy: 'TimestampAscending',
      ...more,
    }),
  );
  return results;
}

const valuesOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).map(({ Values }) => Values ?? []);

describe('CloudWatch here, asked by the SDK', () => {
  it('adds up a metric in total and by source, several at a time', async () => {
    emit('stripe', { Received: 1, Duplicates: 1 });
    emit('stripe', { Received: 1 });
    emit('github', { Received: 1 });

    const results = await ask([
      query('total', 'Received'),
      query('stripe', 'Received', { source: 'stripe' }),
      query('duplicates', 'Duplicates', { source: 'stripe' }),
      query('none', 'Duplicates', { source: 'github' }),
    ]);

    expect(results).toMatchObject([
      { Id: 'total', Label: 'Received', Values: [3], Timestamps: [new Date(NOON)], StatusCode: 'Complete' },
      { Id: 'stripe', Values: [2] },
      { Id: 'duplicates', Values: [1] },
      { Id: 'none', Values: [] },
    ]);
  });

  it('has one value for each period that has any, newest first unless asked otherwise', async () => {
    emit('stripe', { Received: 1 }, NOON + 59_999);
    emit('stripe', { Received: 2 }, NOON + 60_000);
    emit('stripe', { Received: 4 }, NOON + 240_000);

    const [minutes] = await ask([query('a', 'Received')], { ScanBy: undefined });
    const fives = await valuesOf([query('a', 'Received', { period: 300 })]);

    expect(minutes?.Values).toEqual([4, 2, 1]);
    expect(minutes?.Timestamps?.map((at) => at.getTime() - NOON)).toEqual([240_000, 60_000, 0]);
    expect(fives).toEqual([[7]]);
  });

  it('begins at the minute of the start, and ends before the end', async () => {
    emit('stripe', { Received: 1 }, NOON - 1);
    emit('stripe', { Received: 2 }, NOON);
    emit('stripe', { Received: 4 }, NOON + 120_000);

    const values = await valuesOf([query('a', 'Received')], {
      StartTime: new Date(NOON + 30_000),
      EndTime: new Date(NOON + 120_000),
    });

    expect(values).toEqual([[2]]);
  });

  it.each([
    ['Sum', 110],
    ['Average', 11],
    ['Minimum', 2],
    ['Maximum', 20],
    ['SampleCount', 10],
    ['p50', 10],
    ['p99', 20],
    ['p90', 18],
    ['p0', 2],
    ['p100', 20],
    ['p99.9', 20],
  ])('knows the statistic %s', async (stat, expected) => {
    emit('stripe', { HandlerMs: [20, 18, 16, 14, 12] });
    emit('stripe', { HandlerMs: [10, 8, 6, 4, 2] });

    expect(await valuesOf([query('a', 'HandlerMs', { stat })])).toEqual([[expected]]);
  });

  it('has nothing of another unit, and nothing that is asked for only to be reckoned with', async () => {
    emit('stripe', { Received: 1 });

    const values = await valuesOf([
      query('same', 'Received', { unit: 'Count' }),
      query('other', 'Received', { unit: 'Milliseconds' }),
      { ...query('hidden', 'Received'), ReturnData: false },
    ]);

    expect(values).toEqual([[1], []]);
  });

  it('has what a queue holds now, and nothing of what it does not know', async () => {
    const now = { StartTime: new Date(Date.now() - 60_000), EndTime: new Date(Date.now() + 3_600_000) };
    const ofQueue = (Id: string, QueueName: string, MetricName = 'ApproximateNumberOfMessagesVisible') => ({
      Id,
      MetricStat: {
        Metric: { Namespace: 'AWS/SQS', MetricName, Dimensions: [{ Name: 'QueueName', Value: QueueName }] },
        Stat: 'Maximum',
        Period: 300,
      },
    });

    const values = await valuesOf(
      [ofQueue('dlq', 'dlq'), ofQueue('other', 'other'), ofQueue('age', 'dlq', 'ApproximateAgeOfOldestMessage')],
      now,
    );

    expect(values).toEqual([[3], [], []]);
  });

  it('refuses what CloudWatch refuses, and what it does not know itself', async () => {
    const refused = { name: 'ValidationException' };

    await expect(ask([query('a', 'Received', { period: 45 })])).rejects.toMatchObject(refused);
    await expect(ask([query('a', 'Received', { stat: 'p101' })])).rejects.toMatchObject(refused);
    await expect(ask([query('A', 'Received')])).rejects.toMatchObject(refused);
    await expect(ask([{ Id: 'e', Expression: 'a/b' }])).rejects.toMatchObject(refused);
    await expect(ask([query('a', 'Received')], { EndTime: new Date(NOON) })).rejects.toMatchObject(refused);
    await expect(ask([])).rejects.toMatchObject(refused);
  });

  it('takes 500 queries at a time and no more', async () => {
    const queries = Array.from({ length: 501 }, (_, n) => query(`a${n}`, 'Received'));

    expect(await ask(queries.slice(1))).toHaveLength(500);
    await expect(ask(queries)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('answers nobody else’s access key', async () => {
    const stranger = clientWith('LOCAL2');
    const asked = stranger.send(
      new GetMetricDataCommand({ MetricDataQueries: [], StartTime: new Date(0), EndTime: new Date(1000) }),
    );

    await expect(asked).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    stranger.destroy();
  });
});
