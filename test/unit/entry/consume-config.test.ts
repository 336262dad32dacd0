import { describe, expect, it } from 'vitest';
import { ENV } from '../../../lambda/contract.ts';
import { readConsumeConfig, requireConsumer } from '../../../lambda/entry/consume-config.ts';

const complete = {
  [ENV.inboxTable]: 'inbox',
  [ENV.dedupWindowSeconds]: '1209600',
  [ENV.outboxQueueUrl]: 'https://queue.example/outbox',
  [ENV.outboxDlqUrl]: 'https://queue.example/outbox-dlq',
  [ENV.outboxFifo]: 'true',
};

describe('the environment of the consume function', () => {
  it('is read into units', () => {
    expect(readConsumeConfig(complete)).toEqual({
      inboxTable: 'inbox',
      window: 1_209_600_000,
      outboxQueueUrl: 'https://queue.example/outbox',
      deadLetters: { url: 'https://queue.example/outbox-dlq', isFifo: true },
    });
  });

  it('may remember for ever', () => {
    expect(readConsumeConfig({ ...complete, [ENV.dedupWindowSeconds]: 'forever' }).window).toBe('forever');
  });

  it('names everything that is missing at once', () => {
    for (const name of Object.keys(complete)) expect(() => readConsumeConfig({})).toThrow(name);
  });

  it.each([
    [ENV.dedupWindowSeconds, '0'],
    [ENV.outboxFifo, 'yes'],
  ])('refuses %s=%j', (name, value) => {
    expect(() => readConsumeConfig({ ...complete, [name]: value })).toThrow(name);
  });
});

it('a project without a consumer has no consume function', () => {
  expect(() => requireConsumer(undefined)).toThrow('exports no consumer');
});
