import { describe, expect, it } from 'vitest';
import { aStack } from './a-stack.ts';
import { queue, resourcesOfType } from './template.ts';

const QUEUES = ['OutboxQueuesQueue', 'OutboxQueuesDeadLetters', 'OutboxQueuesStreamFailures'];
const FOURTEEN_DAYS_IN_SECONDS = 1_209_600;

const { template } = aStack();

describe.each(QUEUES)('the outbox queue %s', (construct) => {
  it('keeps a message as long as SQS can', () => {
    expect(queue(template, construct).Properties.MessageRetentionPeriod).toBe(FOURTEEN_DAYS_IN_SECONDS);
  });

  it('is encrypted by SQS', () => {
    expect(queue(template, construct).Properties.SqsManagedSseEnabled).toBe(true);
  });

  it('refuses a request without TLS', () => {
    const policies = Object.values(resourcesOfType(template, 'AWS::SQS::QueuePolicy')).filter(({ Properties }) =>
      JSON.stringify(Properties.Queues).includes(`"${construct}`),
    );

    expect(policies.map(({ Properties }) => Properties.PolicyDocument.Statement)).toEqual([
      [
        expect.objectContaining({
          Effect: 'Deny',
          Action: 'sqs:*',
          Principal: { AWS: '*' },
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ],
    ]);
  });

  it('outlives the stack in prod, because its messages are nowhere else, and not in dev', () => {
    const policies = ['prod', 'dev'].map((stage) => {
      const { DeletionPolicy, UpdateReplacePolicy } = queue(aStack({ context: { stage } }).template, construct);
      return [DeletionPolicy, UpdateReplacePolicy];
    });

    expect(policies).toEqual([
      ['Retain', 'Retain'],
      ['Delete', 'Delete'],
    ]);
  });
});

describe('a message that no consumer could handle', () => {
  it('goes to the DLQ after five receives, and not sooner (SQS-02)', () => {
    expect(queue(template, 'OutboxQueuesQueue').Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [expect.stringMatching(/^OutboxQueuesDeadLetters/), 'Arn'] },
      maxReceiveCount: 5,
    });
  });

  it('stays hidden while a consumer of 30 s runs, with room for five more (SQS-01)', () => {
    expect(queue(template, 'OutboxQueuesQueue').Properties.VisibilityTimeout).toBe(6 * 30);
  });
});

describe.each([false, true])('the DLQ, with outboxFifo %j', (outboxFifo) => {
  const built = aStack({ context: { outboxFifo } }).template;

  it('takes messages of its own source alone, and is redriven to no other', () => {
    const { RedriveAllowPolicy } = queue(built, 'OutboxQueuesDeadLetters').Properties;
    const nameOfSource = queue(built, 'OutboxQueuesQueue').Properties.QueueName['Fn::Join'][1];
    const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((name) => ({ Ref: `AWS::${name}` }));

    expect(RedriveAllowPolicy).toEqual({
      redrivePermission: 'byQueue',
      sourceQueueArns: [{ 'Fn::Join': ['', ['arn:', partition, ':sqs:', region, ':', account, ':', ...nameOfSource]] }],
    });
  });

  it('is of the kind of its source, as SQS demands', () => {
    const kinds = ['OutboxQueuesQueue', 'OutboxQueuesDeadLetters'].map(
      (construct) => queue(built, construct).Properties.FifoQueue,
    );

    expect(kinds).toEqual(outboxFifo ? [true, true] : [undefined, undefined]);
  });
});

describe('a FIFO outbox queue', () => {
  const built = aStack({ context: { outboxFifo: 'true' } }).template;

  it('has a name that ends as SQS demands', () => {
    expect(queue(built, 'OutboxQueuesQueue').Properties.QueueName['Fn::Join'][1].at(-1)).toBe('.fifo');
  });

  it('takes the deduplication ids that are sent, and makes none of the content', () => {
    expect(queue(built, 'OutboxQueuesQueue').Properties.ContentBasedDeduplication).toBe(false);
  });

  it('leaves what the stream gave up in a standard queue: Lambda sends to no other', () => {
    expect(queue(built, 'OutboxQueuesStreamFailures').Properties.FifoQueue).toBeUndefined();
  });
});

it('no queue may take the one of the stream failures for its DLQ', () => {
  expect(queue(template, 'OutboxQueuesStreamFailures').Properties.RedriveAllowPolicy).toEqual({
    redrivePermission: 'denyAll',
  });
});
