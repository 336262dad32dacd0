import { describe, expect, it } from 'vitest';
import { ENV } from '../../../lambda/contract.ts';
import { readReceiveConfig } from '../../../lambda/entry/receive-config.ts';

const complete = {
  [ENV.inboxTable]: 'inbox',
  [ENV.outboxTable]: 'outbox',
  [ENV.sequencesTable]: 'sequences',
  [ENV.signingSecretId]: 'secret',
  [ENV.dedupWindowSeconds]: '1209600',
  [ENV.maxBodyBytes]: '4194304',
  [ENV.joinMs]: '0',
};

describe('the environment of the receive function', () => {
  it('is read into units', () => {
    expect(readReceiveConfig(complete)).toEqual({
      inboxTable: 'inbox',
      outboxTable: 'outbox',
      sequencesTable: 'sequences',
      signingSecretId: 'secret',
      window: 1_209_600_000,
      maxBodyBytes: 4_194_304,
      joinMs: 0,
    });
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
  ])('refuses %s=%j', (name, value) => {
    expect(() => readReceiveConfig({ ...complete, [name]: value })).toThrow(name);
  });
});
