import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { onlyResource, resourcesOfType } from './template.ts';

const functionOf = (context: Readonly<Record<string, unknown>> = {}) =>
  onlyResource(aStack({ context }).template, 'AWS::Lambda::Function').Properties;

describe('the receive function', () => {
  it('runs Node 24 on arm64', () => {
    expect(functionOf()).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
  });

  it.each([{}, { receiveTimeoutSeconds: '3' }, { receiveTimeoutSeconds: 29 }])(
    'ends before HTTP API does, with %j',
    (context) => {
      const { Timeout } = functionOf(context);

      expect(Timeout).toBe(Number(context.receiveTimeoutSeconds ?? 10));
      expect(Timeout).toBeLessThan(30);
    },
  );

  it('finds in its environment what the contract names, and nothing else', () => {
    expect(Object.keys(functionOf().Environment.Variables).toSorted()).toEqual(
      [...Object.values(ENV), 'ONCEHOOK_TABLE_accounts'].toSorted(),
    );
  });

  it('is told the window in seconds', () => {
    expect(functionOf({ dedupWindowDays: 20 }).Environment.Variables[ENV.dedupWindowSeconds]).toBe('1728000');
    expect(functionOf({ dedupWindowDays: 'forever' }).Environment.Variables[ENV.dedupWindowSeconds]).toBe('forever');
  });

  it('is told the limits that were set', () => {
    expect(functionOf({ maxBodyBytes: 2048, joinMs: '0' }).Environment.Variables).toMatchObject({
      [ENV.maxBodyBytes]: '2048',
      [ENV.joinMs]: '0',
    });
  });
});

describe.each(['dev', 'prod'])('every log group of %s (CDK-05)', (stage) => {
  const { template } = aStack({ context: { stage, logRetentionDays: 7 } });
  const groups = resourcesOfType(template, 'AWS::Logs::LogGroup');

  it('ends its lines after the days that were set, and has a removal policy', () => {
    expect(Object.values(groups)).toHaveLength(2);
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
