import { describe, expect, it } from 'vitest';
import { aStack } from './a-stack.ts';
import { queue, resourcesOfType } from './template.ts';

const FOURTEEN_DAYS_IN_SECONDS = 1_209_600;
const LONGEST_WAIT_SECONDS = 3600;

const { template } = aStack();

describe.each(['RetriesQueuesQueue', 'RetriesQueuesDeadLetters'])('the events queue %s', (construct) => {
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

  it.each([
    ['prod', 'Retain'],
    ['dev', 'Delete'],
  ])('of %s has the policy %s when the stack is deleted, because its events are nowhere else', (stage, policy) => {
    const { DeletionPolicy, UpdateReplacePolicy } = queue(aStack({ context: { stage } }).template, construct);

    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual([policy, policy]);
  });

  it('is a standard queue whatever the outbox queue is', () => {
    const built = aStack({ context: { outboxFifo: true } }).template;

    expect(queue(built, construct).Properties.FifoQueue).toBeUndefined();
  });
});

describe('SQS itself', () => {
  it('moves a message to the DLQ only after far more receives than an event has attempts', () => {
    const built = aStack({ context: { maxAttempts: 20 } }).template;
    const { RedrivePolicy } = queue(built, 'RetriesQueuesQueue').Properties;

    expect(RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [expect.stringMatching(/^RetriesQueuesDeadLetters/), 'Arn'] },
      maxReceiveCount: 100,
    });
    expect(RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(5 * 20);
  });

  it.each([3, 900])('does so before half of the retention is over, with an attempt of %i s', (workTimeoutSeconds) => {
    const { Properties } = queue(aStack({ context: { workTimeoutSeconds } }).template, 'RetriesQueuesQueue');
    const longestWait = Math.max(LONGEST_WAIT_SECONDS, Properties.VisibilityTimeout);

    expect(Properties.RedrivePolicy.maxReceiveCount * longestWait).toBeLessThan(FOURTEEN_DAYS_IN_SECONDS / 2);
  });
});

it('no queue but its own may take the events DLQ for its DLQ', () => {
  const { RedriveAllowPolicy } = queue(template, 'RetriesQueuesDeadLetters').Properties;
  const nameOfSource = queue(template, 'RetriesQueuesQueue').Properties.QueueName['Fn::Join'][1];
  const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((name) => ({ Ref: `AWS::${name}` }));

  expect(RedriveAllowPolicy).toEqual({
    redrivePermission: 'byQueue',
    sourceQueueArns: [{ 'Fn::Join': ['', ['arn:', partition, ':sqs:', region, ':', account, ':', ...nameOfSource]] }],
  });
});
