import { expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { plaid, postmark, stripe } from '../../../lambda/oncehook.ts';
import { requireSignable } from '../../../lambda/operator/signable-source.ts';

const sources = defineSources({
  bank: { provider: plaid(), on: { 'ITEM.ERROR': async () => undefined } },
  mail: { provider: postmark(), on: { Bounce: async () => undefined } },
  stripe: { provider: stripe(), on: { 'invoice.paid': async () => undefined } },
});
const of = (name: string) => {
  const source = sources.get(name);
  if (source === undefined) throw new Error(`no source ${name}`);
  return requireSignable(source);
};

it('a source whose scheme is data can be signed for', () => {
  expect(of('stripe').provider.scheme.kind).toBe('hmac');
});

it('a source whose scheme is code is refused by the name of its provider', () => {
  expect(() => of('bank')).toThrow(/nobody else can sign for plaid/);
  expect(() => of('mail')).toThrow(/postmark proves itself in a way of its own/);
});
