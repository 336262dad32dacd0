import { describe, expect, it } from 'vitest';
import { type DurationMs, days, hours, seconds } from '../../../lambda/core/time.ts';
import {
  bitbucket,
  discord,
  dropbox,
  github,
  gitlab,
  hubspot,
  intercom,
  lemonSqueezy,
  linear,
  mailgun,
  meta,
  mux,
  paddle,
  razorpay,
  sendgrid,
  shopify,
  slack,
  square,
  standardWebhooks,
  standardWebhooksV1a,
  stripe,
  svix,
  twitch,
  zendesk,
  zoom,
} from '../../../lambda/oncehook.ts';
import type { ProviderPreset } from '../../../lambda/providers/preset.ts';
import { decodeSecret } from '../../../lambda/providers/secret-key.ts';

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

describe('what a provider does when it sends', () => {
  it.each<[string, ProviderPreset, DurationMs | undefined, DurationMs, boolean, 200 | 204]>([
    ['bitbucket', bitbucket(), seconds(10), days(3), false, 200],
    ['discord', discord(), seconds(3), hours(1), true, 204],
    ['dropbox', dropbox(), seconds(10), hours(24), true, 200],
    ['gitlab', gitlab(), seconds(10), days(3), false, 200],
    ['hubspot', hubspot(), seconds(5), hours(24), true, 200],
    ['intercom', intercom(), seconds(5), days(1), true, 200],
    ['lemon-squeezy', lemonSqueezy(), undefined, days(1), true, 200],
    ['linear', linear(), seconds(5), hours(8), true, 200],
    ['mailgun', mailgun(), undefined, hours(8), true, 200],
    ['meta', meta(), undefined, days(7), true, 200],
    ['mux', mux(), undefined, hours(24), true, 200],
    ['paddle', paddle(), seconds(5), days(3), true, 200],
    ['razorpay', razorpay(), seconds(5), hours(24), true, 200],
    ['sendgrid', sendgrid(), undefined, hours(24), true, 200],
    ['shopify', shopify(), seconds(5), hours(4), true, 200],
    ['slack', slack(), seconds(3), hours(24), true, 200],
    ['square', square(), seconds(10), hours(24), true, 200],
    ['standard-webhooks-v1a', standardWebhooksV1a(), undefined, hours(76), true, 200],
    ['svix', svix(), seconds(15), hours(28), true, 200],
    ['twitch', twitch(), undefined, hours(24), true, 200],
    ['zendesk', zendesk(), seconds(12), days(1), false, 200],
    ['zoom', zoom(), seconds(3), hours(2), true, 200],
  ])('%s', (name, preset, deadline, retryHorizon, redelivers, successStatus) => {
    expect(preset).toMatchObject({ name, deadline, retryHorizon, redelivers, successStatus });
  });
});

describe('an option that has one of a few values', () => {
  it.each([
    [shopify, { family: 'classic' }, /^shopify\(\) needs family to be 'webhooks' or 'events', got "classic"$/],
    [gitlab, { proof: 'token' }, /^gitlab\(\) needs proof to be 'signing-token' or 'secret-token'/],
    [hubspot, { signature: 'v4' }, /^hubspot\(\) needs signature to be 'v1' or 'v2' or 'v3'/],
    [svix, { unprefixedSecret: 'hex' }, /^svix\(\) needs unprefixedSecret to be 'base64' or 'utf8'/],
    [standardWebhooks, { unprefixedSecret: 'hex' }, /^standardWebhooks\(\) needs unprefixedSecret to be/],
    [standardWebhooksV1a, { retryHorizonHours: -1 }, /^standardWebhooksV1a\(\) needs retryHorizonHours to be a number/],
  ])('has no other', (preset, options, message) => {
    expect(() => Reflect.apply(preset, undefined, [options])).toThrow(message);
  });
});

describe('a secret without whsec_', () => {
  const text = 'this is text, no base64';
  const base64 = Buffer.alloc(32, 7).toString('base64');

  it.each([
    ['Svix, Clerk and Resend decode it', svix(), base64, Buffer.alloc(32, 7)],
    ['OpenAI takes it as text', standardWebhooks({ unprefixedSecret: 'utf8' }), text, Buffer.from(text)],
    [
      'and the text is never decoded, even where it could be',
      svix({ unprefixedSecret: 'utf8' }),
      base64,
      Buffer.from(base64),
    ],
    ['with it, it is base64', svix({ unprefixedSecret: 'utf8' }), `whsec_${base64}`, Buffer.alloc(32, 7)],
  ])('%s', (_rule, { scheme }, secret, key) => {
    expect(decodeSecret(scheme.secret, secret)).toEqual(key);
  });

  it('is no key where it cannot be decoded', () => {
    expect(decodeSecret(svix().scheme.secret, text)).toBeUndefined();
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
