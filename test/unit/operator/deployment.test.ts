import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../lambda/contract.ts';
import { epochMs } from '../../../lambda/core/time.ts';
import { choosePlace, describePlace } from '../../../lambda/operator/deployment/place.ts';
import { OUTPUTS, resourcesOfLocal, resourcesOfStack } from '../../../lambda/operator/deployment/resources.ts';
import { describeScan } from '../../../lambda/operator/deployment/scan-cost.ts';
import { decodeLocalState } from '../../../lambda/operator/local-state.ts';
import { clientConfig } from '../../../lambda/operator/outside/aws/client-config.ts';
import { createCloudWatchMetrics } from '../../../lambda/operator/outside/aws/cloudwatch-metrics.ts';
import { explainError } from '../../../lambda/operator/outside/aws/explain-error.ts';
import { createInspection } from '../../../lambda/operator/outside/aws/inspection.ts';
import { createStoredBodies } from '../../../lambda/operator/outside/aws/stored-bodies.ts';
import { sdkError } from '../../support/protocol.ts';

const LOCAL = {
  apiUrl: 'http://127.0.0.1:3000',
  region: 'us-east-1',
  credentials: { accessKeyId: 'LOCAL1', secretAccessKey: 'local' },
  endpoints: { secretsmanager: 'http://127.0.0.1:3001', dynamodb: 'http://127.0.0.1:3002' },
  signingSecretId: 'signing',
  tables: { inbox: 'i', outbox: 'o', sequences: 's' },
  queues: { events: 'q/e', eventsDlq: 'q/ed', outbox: 'q/o', outboxDlq: 'q/od' },
};
const state = (changes: object = {}) => decodeLocalState(JSON.stringify({ ...LOCAL, ...changes }));
const stackOutputs = () => Object.fromEntries(Object.values(OUTPUTS).map((id) => [id, `the ${id}`]));

describe('the place', () => {
  it('is the stack that is named, else the local AWS that runs', () => {
    expect(choosePlace({ stack: 'Oncehook-prod', local: false, region: 'eu-west-1' }, state())).toEqual({
      kind: 'stack',
      stack: 'Oncehook-prod',
      region: 'eu-west-1',
    });
    expect(choosePlace({ stack: undefined, local: false, region: undefined }, state()).kind).toBe('local');
    expect(choosePlace({ stack: undefined, local: true, region: undefined }, state()).kind).toBe('local');
  });

  it.each([
    ['nothing runs and none is named', { stack: undefined, local: false, region: undefined }, undefined, /npm start/],
    ['nothing runs and it was asked for', { stack: undefined, local: true, region: undefined }, undefined, /npm start/],
    ['both are named', { stack: 'x', local: true, region: undefined }, state(), /two places/],
    ['a Region has no stack', { stack: undefined, local: false, region: 'eu-west-1' }, state(), /--stack NAME/],
  ])('is refused when %s', (_what, wish, local, message) => {
    expect(() => choosePlace(wish, local)).toThrow(message);
  });

  it('is said in a line', () => {
    expect(describePlace({ kind: 'stack', stack: 'Oncehook-prod', region: 'eu-west-1' })).toBe(
      'in AWS: stack Oncehook-prod (eu-west-1)',
    );
    expect(describePlace({ kind: 'local', state: state() })).toBe('in local AWS (http://127.0.0.1:3000)');
  });
});

describe('the parts of a deployment', () => {
  it('are named by the outputs of its stack', () => {
    expect(resourcesOfStack('Oncehook-prod', { ...stackOutputs(), ApiUrl: 'https://api.test/' })).toMatchObject({
      apiUrl: 'https://api.test',
      inboxTable: 'the InboxTableName',
      eventsDlqUrl: 'the EventsDlqUrl',
    });
  });

  it('are named by the state file of local AWS', () => {
    expect(resourcesOfLocal(state())).toMatchObject({
      inboxTable: 'i',
      eventsDlqUrl: 'q/ed',
      signingSecretId: 'signing',
    });
  });

  it('have a deliveries queue only where messages are posted to targets', () => {
    const { DeliveriesQueueUrl: _queue, DeliveriesDlqUrl: _dlq, ...outputs } = stackOutputs();
    const queues = { ...LOCAL.queues, deliveries: 'q/d', deliveriesDlq: 'q/dd' };

    expect(resourcesOfStack('Oncehook-prod', stackOutputs())).toMatchObject({
      deliveriesQueueUrl: 'the DeliveriesQueueUrl',
      deliveriesDlqUrl: 'the DeliveriesDlqUrl',
    });
    expect(resourcesOfStack('Oncehook-prod', outputs)).not.toHaveProperty('deliveriesQueueUrl');
    expect(resourcesOfLocal(state({ queues })).deliveriesDlqUrl).toBe('q/dd');
    expect(resourcesOfLocal(state())).not.toHaveProperty('deliveriesDlqUrl');
  });

  it('are refused when one is not named', () => {
    const { EventsDlqUrl: _, ...outputs } = stackOutputs();

    expect(() => resourcesOfStack('Other', outputs)).toThrow(
      "stack Other has no output EventsDlqUrl: it is none of Oncehook's, or needs a deploy",
    );
    expect(() => resourcesOfLocal(state({ queues: {} }))).toThrow(/does not say all that is needed/);
  });
});

describe('a client', () => {
  it('of local AWS goes to its endpoint with its credentials', () => {
    expect(clientConfig({ kind: 'local', state: state() }, 'dynamodb')).toMatchObject({
      endpoint: 'http://127.0.0.1:3002',
      region: 'us-east-1',
      credentials: LOCAL.credentials,
    });
  });

  it('of a service that local AWS does not have is refused', () => {
    expect(() => clientConfig({ kind: 'local', state: state() }, 'cloudwatch')).toThrow(
      'the local AWS that runs has no CloudWatch',
    );
  });

  it('of a stack leaves endpoint and credentials to the environment', () => {
    const config = clientConfig({ kind: 'stack', stack: 'x', region: undefined }, 'sqs');

    expect(Object.keys(config).sort()).toEqual(['maxAttempts', 'requestHandler']);
  });
});

describe("AWS's errors", () => {
  const said = (error: Error, isLocal = false) =>
    explainError({ service: 'sqs', action: 'SendMessage', resource: 'queue events', isLocal }, error).message;

  it.each([
    [sdkError('AccessDenied'), 'access denied: these credentials may not call sqs:SendMessage on queue events'],
    [
      sdkError('AccessDeniedException'),
      'access denied: these credentials may not call sqs:SendMessage on queue events',
    ],
    [sdkError('QueueDoesNotExist'), 'there is no queue events in this account and Region'],
    [
      sdkError('ExpiredTokenException'),
      'no usable AWS credentials: sign in, or set AWS_PROFILE, as for the aws command',
    ],
    [sdkError('TimeoutError'), 'SQS did not answer in time'],
    [new Error('Region is missing'), 'no AWS Region: add --region, or set AWS_REGION'],
    [sdkError('ServiceUnavailable'), 'SQS could not do SendMessage: ServiceUnavailable'],
  ])('become one line: %s', (error, line) => {
    expect(said(error)).toBe(line);
  });

  it('of a local AWS that is gone say what to do', () => {
    expect(said(sdkError('Error', { code: 'ECONNREFUSED' }), true)).toMatch(/start it again with npm start/);
  });

  it('repeat nothing that was sent', () => {
    expect(said(Object.assign(new Error('body: a private body'), { name: 'InvalidMessageContents' }))).not.toMatch(
      /private/,
    );
  });
});

describe('the metrics of CloudWatch', () => {
  const period = { from: epochMs(0), to: epochMs(3_600_000), stepSeconds: 60 };
  const WISHES = [
    { name: METRICS.duplicates, statistic: 'Sum' },
    { name: METRICS.outboxLagMs, statistic: 'Maximum' },
  ] as const;

  it('are read page by page, in the order they were asked for', async () => {
    const inputs: Record<string, unknown>[] = [];
    const pages = [
      {
        MetricDataResults: [
          { Id: 'm1', Values: [9] },
          { Id: 'm0', Values: [1, 2] },
        ],
        NextToken: 'more',
      },
      { MetricDataResults: [{ Id: 'm0', Values: [3] }] },
    ];
    const client = {
      async send({ input }: { readonly input: Record<string, unknown> }) {
        inputs.push(input);
        return pages[inputs.length - 1];
      },
    };

    const points = await createCloudWatchMetrics(client as never, false).read(WISHES, 'stripe', period);

    expect(points).toEqual([[1, 2, 3], [9]]);
    expect(inputs.map((input) => input['NextToken'])).toEqual([undefined, 'more']);
    expect(inputs[0]).toMatchObject({
      StartTime: new Date(0),
      EndTime: new Date(3_600_000),
      MetricDataQueries: [
        {
          Id: 'm0',
          MetricStat: {
            Metric: {
              Namespace: 'Oncehook',
              MetricName: 'Duplicates',
              Dimensions: [{ Name: 'source', Value: 'stripe' }],
            },
            Period: 60,
            Stat: 'Sum',
          },
        },
        { Id: 'm1', MetricStat: { Stat: 'Maximum' } },
      ],
    });
  });

  it('of all sources are those without a dimension', async () => {
    let dimensions: unknown;
    const client = {
      async send({ input }: { readonly input: { readonly MetricDataQueries: { MetricStat: { Metric: object } }[] } }) {
        dimensions = input.MetricDataQueries[0]?.MetricStat.Metric;
        return {};
      },
    };

    await createCloudWatchMetrics(client as never, false).read(WISHES, undefined, period);

    expect(dimensions).toMatchObject({ Dimensions: [] });
  });
});

describe('what AWS says of the parts', () => {
  const resources = resourcesOfLocal(
    state({
      queues: {
        events: 'https://sqs/1/app-events-1',
        eventsDlq: 'x',
        outbox: 'https://sqs/1/app-outbox-1',
        outboxDlq: 'x',
      },
    }),
  );
  const inspectionOver = (dynamodb: (name: string) => object, lambda: (name: string, input: object) => object) =>
    createInspection({
      dynamodb: { send: async (command: object) => dynamodb(command.constructor.name) } as never,
      lambda: async () =>
        ({
          send: async (command: { readonly input: object }) => lambda(command.constructor.name, command.input),
        }) as never,
      resources,
      isLocal: false,
    });

  it('has the mappings of its queues and of its stream, from all pages, and no others', async () => {
    const mapping = (EventSourceArn: string, n: number) => ({ EventSourceArn, State: 'Enabled', FunctionArn: `f${n}` });
    const inspection = inspectionOver(
      () => ({}),
      (_name, input) =>
        'Marker' in input
          ? { EventSourceMappings: [mapping('arn:aws:dynamodb:us-east-1:1:table/o/stream/2026', 2)] }
          : {
              EventSourceMappings: [
                mapping('arn:aws:sqs:us-east-1:1:app-events-1', 1),
                mapping('arn:aws:sqs:us-east-1:1:app-events-11', 3),
                mapping('arn:aws:dynamodb:us-east-1:1:table/other/stream/2026', 4),
              ],
              NextMarker: 'more',
            },
    );

    const mappings = await inspection.mappings();

    expect(Object.values(mappings).map((each) => each.map(({ functionArn }) => functionArn))).toEqual([
      ['f1'],
      ['f2'],
      [],
    ]);
  });

  it('has the environment of the function that works on events', async () => {
    const inspection = inspectionOver(
      () => ({}),
      (name) =>
        name === 'ListEventSourceMappingsCommand'
          ? { EventSourceMappings: [{ EventSourceArn: 'arn:aws:sqs:us-east-1:1:app-events-1', FunctionArn: 'work' }] }
          : { Environment: { Variables: { A: 'b' } } },
    );

    expect(await inspection.workEnvironment()).toEqual({ A: 'b' });
  });

  it("has the replicas of a table, and not the table's own Region", async () => {
    const inspection = inspectionOver(
      () => ({
        Table: {
          TableArn: 'arn:aws:dynamodb:us-east-1:1:table/i',
          Replicas: [{ RegionName: 'us-east-1' }, { RegionName: 'eu-west-1' }],
        },
      }),
      () => ({}),
    );

    expect(await inspection.table('inbox')).toEqual({ replicaRegions: ['eu-west-1'] });
  });

  it('has TTL and backups off where AWS says nothing', async () => {
    const inspection = inspectionOver(
      () => ({}),
      () => ({}),
    );

    expect(await inspection.timeToLive()).toEqual({ status: 'DISABLED', attribute: undefined });
    expect(await inspection.hasPointInTimeRecovery('inbox')).toBe(false);
  });
});

describe('a stored body', () => {
  it('that is gone is told apart from one that may not be read', async () => {
    const failing = (name: string) =>
      createStoredBodies({ send: async () => Promise.reject(sdkError(name)) } as never, false);

    expect(await failing('NoSuchKey').get({ bucket: 'b', key: 'k' })).toBeUndefined();
    await expect(failing('AccessDenied').get({ bucket: 'b', key: 'k' })).rejects.toThrow(
      'access denied: these credentials may not call s3:GetObject on bucket b',
    );
  });
});

describe('the cost of a scan', () => {
  it.each([
    [{ items: 0, bytes: 0 }, 'about 0 rows, 0 read units, under $0.01'],
    [{ items: 1, bytes: 8192 }, 'about 1 row, 1 read unit, under $0.01'],
    [{ items: 1, bytes: 8193 }, 'about 1 row, 2 read units, under $0.01'],
    [{ items: 100_000_000, bytes: 80_000_000_000 }, 'about 100000000 rows, 9765625 read units, about $1.22'],
  ])('of %j is said', (size, text) => {
    expect(describeScan('inbox', size)).toContain(text);
  });
});
