import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { lambda, mapping, onlyResource, queue } from './template.ts';

const stackWith = (context: Readonly<Record<string, unknown>> = {}) => aStack({ context }).template;
const work = (context: Readonly<Record<string, unknown>> = {}) => lambda(stackWith(context), 'RetriesWork').Properties;

const { template } = aStack();
const { Properties: events } = mapping(template, 'RetriesWork');

describe('the work function', () => {
  it('has the time and the memory of the settings', () => {
    expect(work()).toMatchObject({ Timeout: 120, MemorySize: 512 });
    expect(work({ workTimeoutSeconds: '900', workMemoryMb: 1024 })).toMatchObject({ Timeout: 900, MemorySize: 1024 });
  });

  it('finds in its environment what it needs to apply, put back or give up an event, and nothing else', () => {
    expect(work({ maxAttempts: 7, retryAfterSeconds: '2', dedupWindowDays: 20 }).Environment.Variables).toEqual({
      [ENV.inboxTable]: { Ref: expect.stringMatching(/^StorageInbox/) },
      [ENV.outboxTable]: { Ref: expect.stringMatching(/^StorageOutbox/) },
      [ENV.sequencesTable]: { Ref: expect.stringMatching(/^StorageSequences/) },
      [ENV.dedupWindowSeconds]: '1728000',
      [ENV.maxAttempts]: '7',
      [ENV.retryAfterSeconds]: '2',
      [ENV.eventsQueueUrl]: { Ref: expect.stringMatching(/^RetriesQueuesQueue/) },
      [ENV.eventsDlqUrl]: { Ref: expect.stringMatching(/^RetriesQueuesDeadLetters/) },
      [ENV.bodiesBucket]: { Ref: expect.stringMatching(/^RetriesQueuesBodiesBucket/) },
      ONCEHOOK_TABLE_accounts: { Ref: expect.stringMatching(/^StorageTablesaccounts/) },
    });
  });

  it('parks by the same count and remembers for the same time as receive', () => {
    const built = stackWith({ maxAttempts: 7, dedupWindowDays: 'forever' });
    const told = ['Receive', 'RetriesWork'].map((name) => {
      const { Variables } = lambda(built, name).Properties.Environment;
      return [Variables[ENV.maxAttempts], Variables[ENV.dedupWindowSeconds]];
    });

    expect(told).toEqual([
      ['7', 'forever'],
      ['7', 'forever'],
    ]);
  });
});

describe('the mapping from the events queue', () => {
  it('brings events of that queue', () => {
    expect(events.EventSourceArn).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^RetriesQueuesQueue/), 'Arn'] });
  });

  it('brings one at a time, and at once', () => {
    expect(events.BatchSize).toBe(1);
    expect(events.MaximumBatchingWindowInSeconds).toBeUndefined();
  });

  it('keeps the message that the answer names (SQS-04)', () => {
    expect(events.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
  });

  it.each([
    [{}, 50],
    [{ workConcurrency: 2 }, 2],
    [{ workConcurrency: '1000' }, 1000],
  ])('runs as many at once as is set, with %j', (context, most) => {
    expect(mapping(stackWith(context), 'RetriesWork').Properties.ScalingConfig).toEqual({ MaximumConcurrency: most });
  });
});

describe('the events queue', () => {
  it.each([3, 120, 900])('hides a message for six times the %i s that an attempt may take (SQS-01)', (seconds) => {
    const built = stackWith({ workTimeoutSeconds: seconds });

    expect(queue(built, 'RetriesQueuesQueue').Properties.VisibilityTimeout).toBe(6 * seconds);
    expect(lambda(built, 'RetriesWork').Properties.Timeout).toBe(seconds);
  });
});

it('an event that waits finds its body for as long as a message of the queue and then of the DLQ can name it', () => {
  const [rule] = onlyResource(template, 'AWS::S3::Bucket').Properties.LifecycleConfiguration.Rules;
  const days = ['RetriesQueuesQueue', 'RetriesQueuesDeadLetters'].map(
    (name) => queue(template, name).Properties.MessageRetentionPeriod / 86_400,
  );

  expect(rule.ExpirationInDays).toBeGreaterThan(days.reduce((sum, each) => sum + each, 0));
});
