import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { lambda } from './template.ts';

const functionOf = (context: Readonly<Record<string, unknown>> = {}) =>
  lambda(aStack({ context }).template, 'Receive').Properties;

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

  it('finds in its environment what it needs, and nothing else', () => {
    expect(Object.keys(functionOf().Environment.Variables).toSorted()).toEqual(
      [
        ENV.inboxTable,
        ENV.outboxTable,
        ENV.sequencesTable,
        ENV.maxAttempts,
        ENV.retryAfterSeconds,
        ENV.eventsQueueUrl,
        ENV.eventsDlqUrl,
        ENV.bodiesBucket,
        ENV.signingSecretId,
        ENV.dedupWindowSeconds,
        ENV.maxBodyBytes,
        ENV.joinMs,
        'ONCEHOOK_TABLE_accounts',
      ].toSorted(),
    );
  });

  it('is told the window in seconds', () => {
    expect(functionOf({ dedupWindowDays: 20 }).Environment.Variables[ENV.dedupWindowSeconds]).toBe('1728000');
    expect(functionOf({ dedupWindowDays: 'forever' }).Environment.Variables[ENV.dedupWindowSeconds]).toBe('forever');
  });

  it('is told the limits that were set', () => {
    expect(functionOf({ maxBodyBytes: 2048, joinMs: '0', maxAttempts: '7' }).Environment.Variables).toMatchObject({
      [ENV.maxBodyBytes]: '2048',
      [ENV.joinMs]: '0',
      [ENV.maxAttempts]: '7',
    });
  });
});
