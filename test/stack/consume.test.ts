import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { lambda, mapping, queue, resourcesOf } from './template.ts';

const { template } = aStack();
const { Properties: messages } = mapping(template, 'Consume');

describe('the consumer', () => {
  it('is called with the messages of the outbox queue, one by one', () => {
    expect(messages.EventSourceArn).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^OutboxQueuesQueue/), 'Arn'] });
    expect(messages.BatchSize).toBe(1);
    expect(messages.MaximumBatchingWindowInSeconds).toBeUndefined();
  });

  it.each([false, true])('keeps the messages that its answer names, with outboxFifo %j', (outboxFifo) => {
    const built = aStack({ context: { outboxFifo } }).template;

    expect(mapping(built, 'Consume').Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
  });

  it('leaves room for receive, however many messages wait', () => {
    expect(messages.ScalingConfig).toEqual({ MaximumConcurrency: 50 });
  });

  it('ends while its messages are hidden, with room for five more (SQS-01)', () => {
    const { Timeout } = lambda(template, 'Consume').Properties;

    expect(Timeout).toBe(30);
    expect(queue(template, 'OutboxQueuesQueue').Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });

  it.each([
    [false, 'false'],
    ['true', 'true'],
  ])('finds in its environment what it needs, and nothing else, with outboxFifo %j', (outboxFifo, told) => {
    const built = aStack({ context: { outboxFifo, dedupWindowDays: 20 } }).template;

    expect(lambda(built, 'Consume').Properties.Environment.Variables).toEqual({
      [ENV.inboxTable]: { Ref: expect.stringMatching(/^StorageInbox/) },
      [ENV.dedupWindowSeconds]: '1728000',
      [ENV.outboxQueueUrl]: { Ref: expect.stringMatching(/^OutboxQueuesQueue/) },
      [ENV.outboxDlqUrl]: { Ref: expect.stringMatching(/^OutboxQueuesDeadLetters/) },
      [ENV.outboxFifo]: told,
      ONCEHOOK_TABLE_accounts: { Ref: expect.stringMatching(/^StorageTablesaccounts/) },
    });
  });
});

describe('a stack without a consumer', () => {
  const without = aStack({ consumer: false }).template;

  it('has no function for it, and the queue is there for one of your own', () => {
    const [kept, all] = [Object.keys(resourcesOf(without)), Object.keys(resourcesOf(template))];

    expect(kept.filter((id) => id.startsWith('Consume'))).toEqual([]);
    expect(queue(without, 'OutboxQueuesQueue').Type).toBe('AWS::SQS::Queue');
    // To write one later adds to the stack and replaces nothing.
    expect(all.filter((id) => !kept.includes(id)).every((id) => id.startsWith('Consume'))).toBe(true);
    expect(kept.filter((id) => !all.includes(id))).toEqual([]);
  });

  it('has no metrics of it on the dashboard', () => {
    expect(JSON.stringify(without.toJSON())).not.toContain('ConsumerDuplicates');
    expect(JSON.stringify(template.toJSON())).toContain('ConsumerDuplicates');
  });
});
