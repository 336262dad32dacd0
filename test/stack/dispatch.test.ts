import { describe, expect, it } from 'vitest';
import { ENV, OUTBOX } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { lambda, mapping as mappingOf, resourcesOfType } from './template.ts';

const DAY_IN_SECONDS = 86_400;

const { template } = aStack();
const mapping = mappingOf(template, 'OutboxDispatch').Properties;

describe('the mapping from the outbox stream', () => {
  it('reads the outbox from its oldest record, so that a new mapping misses nothing', () => {
    expect(mapping.EventSourceArn).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^StorageOutbox/), 'StreamArn'] });
    expect(mapping.StartingPosition).toBe('TRIM_HORIZON');
  });

  it('calls the dispatch function', () => {
    expect(mapping.FunctionName).toEqual({ Ref: expect.stringMatching(/^OutboxDispatchFunction/) });
  });

  it('lets through what a commit wrote, and nothing that dispatch or sweep did to a row (STR-07)', () => {
    const patterns = mapping.FilterCriteria.Filters.map(({ Pattern }: { readonly Pattern: string }) =>
      JSON.parse(Pattern),
    );

    expect(patterns).toEqual([
      { dynamodb: { NewImage: { [OUTBOX.stateAttribute]: { S: [OUTBOX.newState] } } }, eventName: ['INSERT'] },
    ]);
  });

  it('takes a failed record by itself, and not its whole batch, for failed (STR-06)', () => {
    expect(mapping.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    expect(mapping.BisectBatchOnFunctionError).toBe(true);
  });

  it('gives up in the end, long before the stream does after a day (STR-02)', () => {
    expect(mapping.MaximumRetryAttempts).toBe(5);
    expect(mapping.MaximumRecordAgeInSeconds).toBe(6 * 3600);
    expect(mapping.MaximumRecordAgeInSeconds).toBeLessThan(DAY_IN_SECONDS / 2);
  });

  it('says what it gave up, in a queue (STR-02)', () => {
    expect(mapping.DestinationConfig).toEqual({
      OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^OutboxQueuesStreamFailures/), 'Arn'] } },
    });
  });

  it('hands over ten batches of SQS at most', () => {
    expect(mapping.BatchSize).toBe(100);
  });

  it('gives up only after the alarm has had hours to ring', () => {
    const alarm = Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm')).find(
      ({ Properties }) => Properties.MetricName === 'IteratorAge',
    );

    expect(alarm?.Properties.Threshold / 1000).toBeLessThanOrEqual(mapping.MaximumRecordAgeInSeconds / 2);
  });
});

describe('the dispatch function', () => {
  it('ends after 30 s', () => {
    expect(lambda(template, 'OutboxDispatch').Properties.Timeout).toBe(30);
  });

  it.each([
    [false, 'false'],
    ['true', 'true'],
  ])('finds in its environment table, queue and kind of queue, and nothing else, with %j', (outboxFifo, told) => {
    const { Variables } = lambda(aStack({ context: { outboxFifo } }).template, 'OutboxDispatch').Properties.Environment;

    expect(Variables).toEqual({
      [ENV.outboxTable]: { Ref: expect.stringMatching(/^StorageOutbox/) },
      [ENV.outboxQueueUrl]: { Ref: expect.stringMatching(/^OutboxQueuesQueue/) },
      [ENV.outboxFifo]: told,
    });
  });
});
