import { expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { awsSns, paypal, plaid, postmark, stripe } from '../../../lambda/oncehook.ts';
import { requireSignable } from '../../../lambda/operator/signable-source.ts';

const sources = defineSources({
  bank: { provider: plaid(), on: { 'ITEM.ERROR': async () => undefined } },
  shop: { provider: paypal(), on: { 'PAYMENT.CAPTURE.COMPLETED': async () => undefined } },
  topic: { provider: awsSns(), on: { Notification: async () => undefined } },
  mail: { provider: postmark(), on: { Bounce: async () => undefined } },
  // A scheme of somebody's own, for which no signer is written.
  own: { provider: { ...postmark(), name: 'tide-gauge' }, on: { Bounce: async () => undefined } },
  stripe: { provider: stripe(), on: { 'invoice.paid': async () => undefined } },
});
const of = (name: string) => {
  const source = sources.get(name);
  if (source === undefined) throw new Error(`no source ${name}`);
  return requireSignable(source);
};

it.each(['stripe', 'mail'])('the secret of %s is enough to sign with', (name) => {
  expect(of(name).signer).toBeDefined();
});

it.each([
  ['bank', 'plaid'],
  ['shop', 'paypal'],
  ['topic', 'aws-sns'],
])('%s is refused, because %s signs with a private key that only it has', (name, provider) => {
  expect(() => of(name)).toThrow(`nobody else can sign for ${provider}: it has a private key`);
});

it('a scheme that is code and has no signer is refused by the name of its provider', () => {
  expect(() => of('own')).toThrow(/tide-gauge proves itself in a way of its own/);
});
