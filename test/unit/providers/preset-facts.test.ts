import { describe, expect, it } from 'vitest';
import { days, hours, seconds } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { standardWebhooks } from '../../../lambda/providers/standard-webhooks.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';

describe('stripe()', () => {
  it('finds the event in the signed body', () => {
    expect(stripe()).toMatchObject({
      body: 'json',
      id: [{ json: ['id'] }],
      type: [[{ json: ['type'] }]],
      eventTime: { from: { json: ['created'] }, unit: 's' },
      successStatus: 200,
      deadline: undefined,
      retryHorizon: days(3),
      redelivers: true,
    });
  });
});

describe('github()', () => {
  it('finds the event in GitHub’s headers, the type with its action first', () => {
    expect(github()).toMatchObject({
      body: 'json-or-form-payload',
      id: [{ header: 'x-github-delivery' }],
      type: [[{ header: 'x-github-event' }, { json: ['action'] }], [{ header: 'x-github-event' }]],
      successStatus: 200,
      deadline: seconds(10),
      retryHorizon: days(3),
      redelivers: false,
    });
    expect(github().eventTime).toBeUndefined();
  });

  it('shows a handler which hook sent the event', () => {
    expect(github().headers).toEqual([
      'content-type',
      'user-agent',
      'x-github-delivery',
      'x-github-event',
      'x-github-hook-id',
      'x-github-hook-installation-target-id',
      'x-github-hook-installation-target-type',
    ]);
  });
});

describe('standardWebhooks()', () => {
  it('takes the id from the signed header and the rest from the signed body', () => {
    expect(standardWebhooks()).toMatchObject({
      body: 'json',
      id: [{ header: 'webhook-id' }],
      type: [[{ json: ['type'] }]],
      eventTime: { from: { json: ['timestamp'] }, unit: 'iso8601' },
      successStatus: 200,
      deadline: undefined,
      retryHorizon: hours(76),
      redelivers: true,
    });
  });

  it('takes another retry plan', () => {
    expect(standardWebhooks({ retryHorizonHours: 12 }).retryHorizon).toBe(hours(12));
  });

  it.each([
    [{ secretEncoding: 'hex' }, /needs secretEncoding to be 'base64' or 'utf8', got "hex"/],
    [{ retryHorizonHours: 0 }, /needs retryHorizonHours to be a number above 0, got 0/],
    [{ retryHorizonHours: Number.POSITIVE_INFINITY }, /needs retryHorizonHours/],
    [{ retryHorizonHours: '12' }, /needs retryHorizonHours/],
  ])('refuses %j', (options, message) => {
    expect(() => Reflect.apply(standardWebhooks, undefined, [options])).toThrow(message);
  });
});

it.each([
  ['stripe', stripe],
  ['github', github],
  ['standardWebhooks', standardWebhooks],
])('%s() refuses a secret where options are due, and says where secrets go', (name, preset) => {
  const wrong = () => Reflect.apply(preset, undefined, ['whsec_in_code']);

  expect(wrong).toThrow(
    `${name}() takes an object of options, got string. Secrets are set with \`oncehook secret set\``,
  );
  expect(wrong).not.toThrow(/whsec_in_code/);
});

it('the tolerance is the source’s option, and a preset says so', () => {
  expect(() => Reflect.apply(stripe, undefined, [{ toleranceSeconds: 60 }])).toThrow(/It is an option of the source\./);
});
