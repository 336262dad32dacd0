import { sign as signAsGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { epochMs, toEpochSeconds } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { hmac } from '../../../lambda/providers/hmac.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { standardWebhooks } from '../../../lambda/providers/standard-webhooks.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';

const timestamp = toEpochSeconds(epochMs(1_760_000_000_000));
const text = '{"type":"thing.happened","who":"Zoë ☕"}';
const delivery = { id: 'msg_1', timestamp, body: Buffer.from(text) };

describe('what is signed for a test is what the provider sends', () => {
  it('as Stripe’s SDK signs it', () => {
    const secret = 'whsec_sign';
    const header = new Stripe('sk_test_never_used').webhooks.generateTestHeaderString({
      payload: text,
      secret,
      timestamp,
    });

    expect(signDelivery(stripe().scheme, secret, delivery)).toEqual({ 'stripe-signature': header });
  });

  it('as GitHub’s SDK signs it', async () => {
    const secret = 'a secret of github';

    expect(signDelivery(github().scheme, secret, delivery)).toEqual({
      'x-hub-signature-256': await signAsGithub(secret, text),
    });
  });

  it('as the Standard Webhooks SDK signs it', () => {
    const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

    expect(signDelivery(standardWebhooks().scheme, secret, delivery)).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1760000000',
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(1_760_000_000_000), text),
    });
  });

  it('as the Standard Webhooks SDK signs it with a secret that is text', () => {
    const { scheme } = standardWebhooks({ secretEncoding: 'utf8' });
    const secret = 'whsec_a text, not base64';

    expect(signDelivery(scheme, secret, delivery)['webhook-signature']).toBe(
      new Webhook(secret, { format: 'raw' }).sign('msg_1', new Date(1_760_000_000_000), text),
    );
  });
});

it.each(['', 'whsec_', 'not base64!'])(
  'nothing is signed with the secret %j, which the message does not repeat',
  (secret) => {
    const sign = () => signDelivery(standardWebhooks().scheme, secret, delivery);

    expect(sign).toThrow('the secret is empty or not base64');
  },
);

it('a scheme without a time or an id sends neither', () => {
  const { scheme } = hmac({ header: 'x-sig', id: '$.id', type: '$.type', redelivers: true });

  expect(Object.keys(signDelivery(scheme, 'any secret', delivery))).toEqual(['x-sig']);
});
