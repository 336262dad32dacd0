import { describe, expect, it } from 'vitest';
import { epochMs, toEpochSeconds } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { hmac } from '../../../lambda/providers/hmac.ts';
import type { Scheme } from '../../../lambda/providers/scheme.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';

/* Failures that other receivers had, with their inputs. */

const SECRET = 'test-secret-1';
const NOW_SECONDS = 1_700_000_000;
const verify = (
  scheme: Scheme,
  headers: Readonly<Record<string, string>>,
  body: string,
  secrets: readonly string[] = [SECRET],
  nowSeconds = NOW_SECONDS,
) => verifySignature(scheme, { headers, body: Buffer.from(body) }, secrets, epochMs(nowSeconds * 1000));

describe('a short, empty or huge signature is a refusal and never an exception (SIG-10)', () => {
  it.each([
    ['missing', {}, 'missing_header'],
    ['empty', { 'x-hub-signature-256': '' }, 'missing_header'],
    ['the bare prefix', { 'x-hub-signature-256': 'sha256=' }, 'malformed_signature'],
    ['four digits', { 'x-hub-signature-256': 'sha256=abcd' }, 'malformed_signature'],
    ['of SHA-1', { 'x-hub-signature-256': `sha1=${'0a'.repeat(20)}` }, 'no_signature_for_version'],
    ['10 KB of one letter', { 'x-hub-signature-256': 'a'.repeat(10_240) }, 'header_too_long'],
  ])('%s', (_what, headers, reason) => {
    expect(verify(github().scheme, headers, '{"id":"evt_10"}')).toEqual({ kind: 'rejected', reason });
  });
});

describe('the configured encoding counts, white space and the case of hex do not (SIG-13)', () => {
  const body = '{"id":"evt_13"}';
  const digest = 'b872d4606e176eefb25f15a496507ebccc0df089b7428688e9fe6aab792f3284';
  const base64 = 'uHLUYG4Xbu+yXxWkllB+vMwN8Im3QoaI6f5qq3kvMoQ=';
  const options = { header: 'X-Shop-Signature', id: '$.id', type: '$.type', redelivers: true } as const;
  const inHex = hmac({ ...options, prefix: 'sha256=' }).scheme;
  const inBase64 = hmac({ ...options, encoding: 'base64' }).scheme;
  const send = (scheme: Scheme, value: string) => verify(scheme, { 'x-shop-signature': value }, body);

  it.each([`sha256=${digest}`, `sha256= ${digest.toUpperCase()}`, `  sha256=${digest}\t`])(
    'hex as %j is accepted',
    (value) => {
      expect(send(inHex, value).kind).toBe('verified');
    },
  );

  it.each([base64, ` ${base64} `])('base64 as %j is accepted', (value) => {
    expect(send(inBase64, value).kind).toBe('verified');
  });

  it('a changed last character is refused', () => {
    expect(send(inHex, `sha256=${digest.slice(0, -1)}5`)).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
    expect(send(inHex, `sha256= ${digest.toUpperCase().slice(0, -1)}5`).kind).toBe('rejected');
    expect(send(inBase64, `${base64.slice(0, -2)}R=`)).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
  });

  it('base64 letters keep their case', () => {
    expect(send(inBase64, base64.toUpperCase()).kind).toBe('rejected');
  });

  it('hex where base64 is due has its own reason for the operator', () => {
    expect(send(inBase64, digest)).toEqual({ kind: 'rejected', reason: 'malformed_signature' });
    expect(send(inHex, `sha256=${base64}`)).toEqual({ kind: 'rejected', reason: 'malformed_signature' });
  });
});

it('commas of the scheme itself are not taken for repeated headers (SIG-14)', () => {
  const { scheme } = stripe();
  const body = '{"id":"evt_14"}';
  const timestamp = epochMs(NOW_SECONDS * 1000);
  const signed = signDelivery(scheme, SECRET, {
    id: 'evt_14',
    timestamp: toEpochSeconds(timestamp),
    body: Buffer.from(body),
  });
  const value = `${signed['stripe-signature']},v0=${'6'.repeat(64)}`;

  expect(verify(scheme, { 'stripe-signature': value }, body, [SECRET], NOW_SECONDS + 10).kind).toBe('verified');
});

it('with a new and an old secret both are accepted, a third is not, and the old one ends when it is removed (SEC-01)', () => {
  const { scheme } = github();
  const send = (signer: string, configured: readonly string[]) => {
    const body = `{"signer":"${signer}"}`;
    const timestamp = toEpochSeconds(epochMs(NOW_SECONDS * 1000));
    return verify(
      scheme,
      signDelivery(scheme, signer, { id: 'x', timestamp, body: Buffer.from(body) }),
      body,
      configured,
    );
  };

  expect(send('new secret', ['new secret', 'old secret'])).toEqual({ kind: 'verified', secretIndex: 0 });
  expect(send('old secret', ['new secret', 'old secret'])).toEqual({ kind: 'verified', secretIndex: 1 });
  expect(send('third secret', ['new secret', 'old secret'])).toEqual({
    kind: 'rejected',
    reason: 'signature_mismatch',
  });
  expect(send('old secret', ['new secret'])).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
});

it('an authentic but old delivery is refused, for another reason than a wrong signature (SEC-04)', () => {
  const { scheme } = stripe();
  const body = '{"id":"evt_sec_4"}';
  const send = (signedSeconds: number) => {
    const timestamp = toEpochSeconds(epochMs(signedSeconds * 1000));
    return verify(scheme, signDelivery(scheme, SECRET, { id: 'x', timestamp, body: Buffer.from(body) }), body);
  };

  expect(send(1_699_999_701).kind).toBe('verified');
  expect(send(1_699_999_699)).toEqual({ kind: 'rejected', reason: 'timestamp_too_old' });
  expect(send(1_700_000_000).kind).toBe('verified');
});
