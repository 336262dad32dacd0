import { describe, expect, it } from 'vitest';
import { readStackSpec } from '../../../../local/template/stack-spec.ts';
import { A_PLACE, aTemplate } from '../fixtures/a-template.ts';

const PLACE = { ...A_PLACE, sqsUrl: 'http://127.0.0.1:4' };
const read = (resources: Readonly<Record<string, unknown>>) => readStackSpec(aTemplate(resources), PLACE);

const aMapping = (properties: object = {}) => ({
  Dlq: { Type: 'AWS::SQS::Queue' },
  Mapping: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Inbox', 'StreamArn'] },
      FunctionName: { Ref: 'Receive' },
      StartingPosition: 'TRIM_HORIZON',
      ...properties,
    },
  },
});

const aRule = (properties: object = {}, permission: object = {}) => ({
  Rule: {
    Type: 'AWS::Events::Rule',
    Properties: {
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ Id: 'Target0', Arn: { 'Fn::GetAtt': ['Receive', 'Arn'] }, RetryPolicy: { MaximumRetryAttempts: 0 } }],
      ...properties,
    },
  },
  Permission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': ['Receive', 'Arn'] },
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': ['Rule', 'Arn'] },
      ...permission,
    },
  },
});

describe('a queue of the template', () => {
  it('has its URL, its ARN, its attributes and where its dead letters go', () => {
    const { queues } = read({
      Dlq: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true, MessageRetentionPeriod: 1_209_600 } },
      Queue: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          QueueName: { 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, '-outbox.fifo']] },
          FifoQueue: true,
          SqsManagedSseEnabled: true,
          RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dlq', 'Arn'] }, maxReceiveCount: 5 },
        },
      },
    });

    const dlqArn = 'arn:aws:sqs:us-east-1:000000000000:Oncehook-dev-Dlq.fifo';
    expect(queues).toEqual([
      {
        logicalId: 'Dlq',
        name: 'Oncehook-dev-Dlq.fifo',
        arn: dlqArn,
        url: 'http://127.0.0.1:4/000000000000/Oncehook-dev-Dlq.fifo',
        attributes: { FifoQueue: 'true', MessageRetentionPeriod: '1209600' },
      },
      {
        logicalId: 'Queue',
        name: 'Oncehook-dev-outbox.fifo',
        arn: 'arn:aws:sqs:us-east-1:000000000000:Oncehook-dev-outbox.fifo',
        url: 'http://127.0.0.1:4/000000000000/Oncehook-dev-outbox.fifo',
        attributes: {
          FifoQueue: 'true',
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dlqArn, maxReceiveCount: 5 }),
        },
      },
    ]);
  });

  it('has a name of 80 characters at most, told apart at its end', () => {
    const logicalId = `${'Q'.repeat(80)}1`;
    const [queue] = read({ [logicalId]: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } }).queues;

    expect(queue?.name).toHaveLength(80);
    expect(queue?.name).toMatch(/Q1\.fifo$/);
  });
});

describe('an event source mapping of the template', () => {
  it('has its stream, its function and its limits', () => {
    const pattern = '{"eventName":["INSERT"]}';
    const { mappings } = read(
      aMapping({
        BatchSize: 50,
        BisectBatchOnFunctionError: true,
        FilterCriteria: { Filters: [{ Pattern: pattern }] },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRecordAgeInSeconds: 60,
        MaximumRetryAttempts: 5,
        DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Dlq', 'Arn'] } } },
      }),
    );

    expect(mappings).toEqual([
      {
        from: 'stream',
        logicalId: 'Mapping',
        tableName: 'Oncehook-dev-Inbox',
        streamArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Oncehook-dev-Inbox/stream/2000-01-01T00:00:00.000',
        functionKey: 'bundle',
        functionName: 'Oncehook-dev-Receive',
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Oncehook-dev-Receive',
        startAt: 'TRIM_HORIZON',
        patterns: [pattern],
        batchSize: 50,
        bisectsOnError: true,
        reportsItemFailures: true,
        maxRetries: 5,
        maxAgeMs: 60_000,
        onFailure: 'arn:aws:sqs:us-east-1:000000000000:Oncehook-dev-Dlq',
      },
    ]);
  });

  it('has CloudFormation’s defaults, and is left out when it is switched off', () => {
    expect(read(aMapping()).mappings).toMatchObject([
      { batchSize: 100, maxRetries: undefined, maxAgeMs: undefined, reportsItemFailures: false },
    ]);
    expect(read(aMapping({ MaximumRetryAttempts: -1 })).mappings).toMatchObject([{ maxRetries: undefined }]);
    expect(read(aMapping({ Enabled: false })).mappings).toEqual([]);
  });

  it.each([
    [
      'another source',
      { EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/x' },
      'maps the streams of the stack’s tables',
    ],
    ['a table without a stream', { EventSourceArn: { 'Fn::GetAtt': ['Accounts', 'StreamArn'] } }, 'maps the streams'],
    ['an unknown filter', { FilterCriteria: { Filters: [{ Pattern: '{"a":[{"prefix":"x"}]}' }] } }, 'Mapping has the'],
    ['a batching window', { MaximumBatchingWindowInSeconds: 1 }, 'batching window'],
    ['a property nobody knows', { TumblingWindowInSeconds: 1 }, 'TumblingWindowInSeconds'],
    ['another start', { StartingPosition: 'AT_TIMESTAMP' }, 'AT_TIMESTAMP'],
    ['no function of the stack', { FunctionName: 'other' }, 'Mapping leads to other'],
  ])('is refused for %s', (_, properties, message) => {
    expect(() => read(aMapping(properties))).toThrow(message.replace('’', "'"));
  });
});

const aQueueMapping = (properties: object = {}, queue: object = {}) => ({
  Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 10, ...queue } },
  Mapping: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
      FunctionName: { Ref: 'Receive' },
      ...properties,
    },
  },
});

describe('an event source mapping from a queue of the template', () => {
  it('has its queue, its function and its limits', () => {
    const { mappings } = read(
      aQueueMapping({
        BatchSize: 20,
        MaximumBatchingWindowInSeconds: 2,
        ScalingConfig: { MaximumConcurrency: 2 },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      }),
    );

    expect(mappings).toEqual([
      {
        from: 'queue',
        logicalId: 'Mapping',
        queueName: 'Oncehook-dev-Queue',
        queueArn: 'arn:aws:sqs:us-east-1:000000000000:Oncehook-dev-Queue',
        functionKey: 'bundle',
        functionName: 'Oncehook-dev-Receive',
        batchSize: 20,
        windowMs: 2000,
        maxConcurrency: 2,
        reportsItemFailures: true,
      },
    ]);
  });

  it('has CloudFormation’s defaults, and is left out when it is switched off', () => {
    expect(read(aQueueMapping()).mappings).toMatchObject([
      { batchSize: 10, windowMs: 0, maxConcurrency: 5, reportsItemFailures: false },
    ]);
    expect(read(aQueueMapping({ Enabled: false })).mappings).toEqual([]);
  });

  it('may have as many messages as one poll brings, and 10 000 with a window', () => {
    const batchSizeOf = (properties: object) => read(aQueueMapping(properties)).mappings[0]?.batchSize;

    expect(batchSizeOf({ BatchSize: 10 })).toBe(10);
    expect(batchSizeOf({ BatchSize: 10_000, MaximumBatchingWindowInSeconds: 300 })).toBe(10_000);
    expect(batchSizeOf({ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 1000 } })).toBe(1);
  });

  it.each([
    ['no batch', { BatchSize: 0 }, {}, 'BatchSize 0: Lambda takes 1 to 10'],
    ['a large batch without a window', { BatchSize: 11 }, {}, 'BatchSize 11'],
    ['a huge batch', { BatchSize: 10_001, MaximumBatchingWindowInSeconds: 1 }, {}, 'Lambda takes 1 to 10000'],
    ['a long window', { MaximumBatchingWindowInSeconds: 301 }, {}, 'Lambda takes 0 to 300'],
    ['a window on FIFO', { MaximumBatchingWindowInSeconds: 1 }, { FifoQueue: true }, 'Lambda takes 0 to 0'],
    ['one at a time', { ScalingConfig: { MaximumConcurrency: 1 } }, {}, 'Lambda takes 2 to 1000'],
    ['too many at a time', { ScalingConfig: { MaximumConcurrency: 1001 } }, {}, 'Lambda takes 2 to 1000'],
    ['a number that is none', { BatchSize: 'many' }, {}, 'BatchSize "many"'],
    ['another answer', { FunctionResponseTypes: ['Other'] }, {}, 'the response type Other'],
    ['what only streams have', { BisectBatchOnFunctionError: true }, {}, 'BisectBatchOnFunctionError'],
    ['a queue that is visible too soon', {}, { VisibilityTimeout: 9 }, 'visibility timeout of Queue, 9 s, is less'],
    ['no function of the stack', { FunctionName: 'other' }, {}, 'Mapping leads to other'],
  ])('is refused for %s', (_, properties, queue, message) => {
    expect(() => read(aQueueMapping(properties, queue))).toThrow(message);
  });
});

describe('a schedule of the template', () => {
  it('has its rate, its function and how often a failed run is tried again', () => {
    const { schedules } = read({
      ...aRule(),
      Invoke: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: { FunctionName: { Ref: 'Receive' }, MaximumRetryAttempts: 0, Qualifier: '$LATEST' },
      },
    });

    expect(schedules).toEqual([
      {
        logicalId: 'Rule',
        ruleArn: 'arn:aws:events:us-east-1:000000000000:rule/Oncehook-dev-Rule',
        functionKey: 'bundle',
        functionName: 'Oncehook-dev-Receive',
        everyMs: 60_000,
        input: undefined,
        maxRetries: 0,
      },
    ]);
  });

  it('is tried again twice by default, and left out when it is switched off', () => {
    expect(read(aRule({ ScheduleExpression: 'rate(5 minutes)' })).schedules).toMatchObject([
      { everyMs: 300_000, maxRetries: 2 },
    ]);
    expect(read(aRule({ State: 'DISABLED' })).schedules).toEqual([]);
  });

  it.each([
    ['a cron expression', { ScheduleExpression: 'cron(0 * * * ? *)' }, {}, 'Rule is the rule cron'],
    ['a target that makes its input', { Targets: [{ Id: 'T', InputTransformer: {} }] }, {}, 'InputTransformer'],
    ['a permission for another rule', {}, { SourceArn: 'arn:aws:events:other' }, 'Rule may not run'],
    ['a permission for another service', {}, { Principal: 's3.amazonaws.com' }, 'Rule may not run'],
  ])('is refused for %s', (_, properties, permission, message) => {
    expect(() => read(aRule(properties, permission))).toThrow(message);
  });
});
