import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { BUNDLES } from '../../lib/bundles.ts';
import { aStack, DELIVERING, type StackOptions } from './a-stack.ts';
import { resourcesOfType } from './template.ts';

const functionsOf = (options: StackOptions) =>
  Object.values(resourcesOfType(aStack(options).template, 'AWS::Lambda::Function'));

/** No stack has both: they would share the messages of one queue. */
const consuming = functionsOf({});
const delivering = functionsOf(DELIVERING);
const functions = [...consuming, ...delivering];

describe('the functions', () => {
  it('are as many as there are bundles, but for the consumer or the deliverer', () => {
    const bundles = Object.keys(BUNDLES).length;

    expect([consuming.length, delivering.length]).toEqual([bundles - 1, bundles - 1]);
  });

  it('run Node 24 on arm64, and write their lines as JSON', () => {
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON' },
      });
    }
  });

  it('find every variable that the contract names in the environment of one of them', () => {
    const names = functions.flatMap(({ Properties }) => Object.keys(Properties.Environment.Variables));

    expect(new Set(names)).toEqual(new Set([...Object.values(ENV), 'ONCEHOOK_TABLE_accounts']));
  });

  it('have no reserved concurrency by themselves, which the quota of a new account does not allow', () => {
    for (const { Properties } of functions) expect(Properties.ReservedConcurrentExecutions).toBeUndefined();
  });

  it('keep concurrency for receive alone when it is set', () => {
    const { template } = aStack({ context: { receiveReservedConcurrency: '20' } });
    const reserved = Object.entries(resourcesOfType(template, 'AWS::Lambda::Function')).flatMap(
      ([id, { Properties }]) =>
        Properties.ReservedConcurrentExecutions === undefined ? [] : [[id, Properties.ReservedConcurrentExecutions]],
    );

    expect(reserved).toEqual([[expect.stringMatching(/^ReceiveFunction/), 20]]);
  });

  it('are traced when it is set, and by Lambda alone: no bundle is another one', () => {
    for (const { Properties } of functions) expect(Properties.TracingConfig).toBeUndefined();
    for (const { Properties } of functionsOf({ context: { tracing: true } })) {
      expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
    }
  });
});

describe.each(['dev', 'prod'])('every log group of %s (CDK-05)', (stage) => {
  const { template } = aStack({ context: { stage, logRetentionDays: 7 } });
  const groups = resourcesOfType(template, 'AWS::Logs::LogGroup');

  it('ends its lines after the days that were set, and has a removal policy', () => {
    // One a function, and the access log.
    expect(Object.values(groups)).toHaveLength(consuming.length + 1);
    for (const { Properties, DeletionPolicy } of Object.values(groups)) {
      expect(Properties.RetentionInDays).toBe(7);
      expect(DeletionPolicy).toBe(stage === 'prod' ? 'Retain' : 'Delete');
    }
  });

  it('is a resource of the stack: every function names its own, and no custom resource makes one', () => {
    for (const { Properties } of Object.values(resourcesOfType(template, 'AWS::Lambda::Function'))) {
      expect(Object.keys(groups)).toContain(Properties.LoggingConfig.LogGroup.Ref);
    }
    template.resourceCountIs('Custom::LogRetention', 0);
  });
});
