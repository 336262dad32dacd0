import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { lambda, onlyResource, resourcesOfType } from './template.ts';

const { template } = aStack({ context: { sweepAfterSeconds: 5 } });
const sweep = lambda(template, 'OutboxSweep').Properties;
const rule = onlyResource(template, 'AWS::Events::Rule').Properties;

describe('the sweep', () => {
  it('runs every minute', () => {
    expect(rule.ScheduleExpression).toBe('rate(1 minute)');
    expect(rule.State).toBe('ENABLED');
    expect(rule.Targets).toMatchObject([
      { Arn: { 'Fn::GetAtt': [expect.stringMatching(/^OutboxSweepFunction/), 'Arn'] } },
    ]);
  });

  it('has ended before it runs again', () => {
    expect(sweep.Timeout).toBe(50);
    expect(sweep.Timeout).toBeLessThan(60);
  });

  it('is not made up for when a run fails or is late: neither by Lambda nor by EventBridge', () => {
    expect(onlyResource(template, 'AWS::Lambda::EventInvokeConfig').Properties).toMatchObject({
      FunctionName: { Ref: expect.stringMatching(/^OutboxSweepFunction/) },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
    expect(rule.Targets[0].RetryPolicy).toEqual({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  });

  it('may be called by its rule, and by nothing else', () => {
    const permissions = Object.values(resourcesOfType(template, 'AWS::Lambda::Permission')).filter(({ Properties }) =>
      JSON.stringify(Properties.FunctionName).includes('OutboxSweepFunction'),
    );

    expect(permissions.map(({ Properties }) => [Properties.Principal, Properties.SourceArn])).toEqual([
      ['events.amazonaws.com', { 'Fn::GetAtt': [expect.stringMatching(/^OutboxSweepEveryMinute/), 'Arn'] }],
    ]);
  });

  it('finds in its environment table, queue, kind of queue and its own patience, and nothing else', () => {
    expect(sweep.Environment.Variables).toEqual({
      [ENV.outboxTable]: { Ref: expect.stringMatching(/^StorageOutbox/) },
      [ENV.outboxQueueUrl]: { Ref: expect.stringMatching(/^OutboxQueuesQueue/) },
      [ENV.outboxFifo]: 'false',
      [ENV.sweepAfterSeconds]: '5',
    });
  });
});
