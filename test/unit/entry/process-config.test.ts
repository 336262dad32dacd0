import { describe, expect, it } from 'vitest';
import { ENV } from '../../../lambda/contract.ts';
import { readReceiveConfig, readWorkConfig } from '../../../lambda/entry/process-config.ts';

const complete = {
  [ENV.inboxTable]: 'inbox',
  [ENV.outboxTable]: 'outbox',
  [ENV.sequencesTable]: 'sequences',
  [ENV.signingSecretId]: 'secret',
  [ENV.dedupWindowSeconds]: '1209600',
  [ENV.maxBodyBytes]: '4194304',
  [ENV.joinMs]: '0',
  [ENV.maxAttempts]: '5',
  [ENV.retryAfterSeconds]: '30',
  [ENV.eventsQueueUrl]: 'https://sqs.example/events',
  [ENV.eventsDlqUrl]: 'https://sqs.example/events-dlq',
  [ENV.bodiesBucket]: 'bodies',
};

describe('the environment of the receive function', () => {
  it('is read into units', () => {
    expect(readReceiveConfig(complete)).toEqual({
      tables: { inbox: 'inbox', outbox: 'outbox', sequences: 'sequences' },
      signingSecretId: 'secret',
      window: 1_209_600_000,
      maxBodyBytes: 4_194_304,
      joinMs: 0,
      maxAttempts: 5,
      retryAfter: 30_000,
      eventsQueueUrl: 'https://sqs.example/events',
      eventsDlqUrl: 'https://sqs.example/events-dlq',
      bodiesBucket: 'bodies',
    });
  });

  it('is more than the work function reads, which knows no secret and no limit of a request', () => {
    const { [ENV.signingSecretId]: _secret, [ENV.maxBodyBytes]: _limit, [ENV.joinMs]: _join, ...rest } = complete;

    expect(readWorkConfig(rest)).toMatchObject({ maxAttempts: 5, retryAfter: 30_000, bodiesBucket: 'bodies' });
    expect(() => readReceiveConfig(rest)).toThrow(ENV.signingSecretId);
  });

  it('may remember for ever', () => {
    expect(readReceiveConfig({ ...complete, [ENV.dedupWindowSeconds]: 'forever' }).window).toBe('forever');
  });

  it('names everything that is missing at once', () => {
    for (const name of Object.keys(complete)) expect(() => readReceiveConfig({})).toThrow(name);
  });

  it.each([
    [ENV.dedupWindowSeconds, '0'],
    [ENV.dedupWindowSeconds, '1.5'],
    [ENV.dedupWindowSeconds, '-1'],
    [ENV.maxBodyBytes, '0'],
    [ENV.maxBodyBytes, 'many'],
    [ENV.joinMs, ''],
    [ENV.maxAttempts, '0'],
    [ENV.retryAfterSeconds, '-1'],
  ])('refuses %s=%j', (name, value) => {
    expect(() => readReceiveConfig({ ...complete, [name]: value })).toThrow(name);
  });
});
