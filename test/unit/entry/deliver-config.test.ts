import { describe, expect, it } from 'vitest';
import { ENV } from '../../../lambda/contract.ts';
import { readDeliverConfig } from '../../../lambda/entry/deliver-config.ts';

const environment = (changes: Readonly<Record<string, string | undefined>> = {}) => ({
  [ENV.deliverTargets]: '{"billing":{"url":"https://billing.example.com/?key=hunter2"}}',
  [ENV.deliveriesQueueUrl]: 'https://queue.example/deliveries',
  [ENV.outboxFifo]: 'false',
  [ENV.signingSecretId]: 'signing',
  ...changes,
});

describe('the configuration of the deliverer', () => {
  it('is what the environment says', () => {
    expect(readDeliverConfig(environment())).toEqual({
      targets: [
        { name: 'billing', url: 'https://billing.example.com/?key=hunter2', topics: undefined, timeout: 10_000 },
      ],
      deliveries: { url: 'https://queue.example/deliveries', isFifo: false },
      signingSecretId: 'signing',
    });
  });

  it('is refused with everything that is missing', () => {
    expect(() => readDeliverConfig({})).toThrow(
      /ONCEHOOK_DELIVER_TARGETS is not set; ONCEHOOK_DELIVERIES_QUEUE_URL is not set; ONCEHOOK_OUTBOX_FIFO .*; ONCEHOOK_SIGNING_SECRET_ID is not set/,
    );
  });

  it.each(['{"billing": hunter2', '"hunter2"', 'null'])('is refused without its text: %s', (text) => {
    const read = () => readDeliverConfig(environment({ [ENV.deliverTargets]: text }));

    expect(read).toThrow('ONCEHOOK_DELIVER_TARGETS is not a JSON object');
    expect(read).not.toThrow(/hunter2/);
  });

  it('is refused with a target in a private network, whoever wrote it there', () => {
    const targets = '{"billing":{"url":"https://169.254.169.254/"}}';

    expect(() => readDeliverConfig(environment({ [ENV.deliverTargets]: targets }))).toThrow(/private or reserved/);
  });
});
