import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { BUNDLES } from '../../lib/bundles.ts';
import { aStack } from './a-stack.ts';
import { resourcesOfType } from './template.ts';

const functionsOf = (context: Readonly<Record<string, unknown>> = {}) =>
  Object.values(resourcesOfType(aStack({ context }).template, 'AWS::Lambda::Function'));

describe('the functions', () => {
  it('are as many as there are bundles', () => {
    expect(functionsOf()).toHaveLength(Object.keys(BUNDLES).length);
  });

  it('run Node 24 on arm64, and write their lines as JSON', () => {
    for (const { Properties } of functionsOf()) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON' },
      });
    }
  });

  it('find every variable that the contract names in the environment of one of them', () => {
    const names = functionsOf().flatMap(({ Properties }) => Object.keys(Properties.Environment.Variables));

    expect(new Set(names)).toEqual(new Set([...Object.values(ENV), 'ONCEHOOK_TABLE_accounts']));
  });

  it('have no reserved concurrency, which the quota of a new account does not allow', () => {
    for (const { Properties } of functionsOf()) expect(Properties.ReservedConcurrentExecutions).toBeUndefined();
  });
});

describe.each(['dev', 'prod'])('every log group of %s (CDK-05)', (stage) => {
  const { template } = aStack({ context: { stage, logRetentionDays: 7 } });
  const groups = resourcesOfType(template, 'AWS::Logs::LogGroup');

  it('ends its lines after the days that were set, and has a removal policy', () => {
    // One a function, and the access log.
    expect(Object.values(groups)).toHaveLength(Object.keys(BUNDLES).length + 1);
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
