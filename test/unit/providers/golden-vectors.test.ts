import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { hmac } from '../../../lambda/providers/hmac.ts';
import type { Scheme } from '../../../lambda/providers/scheme.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { standardWebhooks } from '../../../lambda/providers/standard-webhooks.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';
import { lowerCased, type SignatureVector, vectorsOf } from './golden.ts';

/*
 * Known answers: published vectors of the providers and their SDKs, and others derived from them.
 *
 * Vectors marked `policy` could be decided otherwise; their verdict is followed as given. Upper-case
 * hex is refused, as the SDKs refuse it: a provider writes lower case, so nothing is lost. A
 * Stripe timestamp 301 s in the future is refused, where the SDK has no such limit: a request
 * could be kept back until its time comes. An empty body with a correct signature is
 * authentic: whether it is an event is the parser's question.
 */

const verdictOf = (scheme: Scheme, vector: SignatureVector) =>
  verifySignature(
    scheme,
    { headers: lowerCased(vector.headers), body: Buffer.from(vector.body, vector.bodyEncoding) },
    vector.secrets ?? [vector.secret],
    epochMs((vector.nowSeconds ?? 1_760_000_000) * 1000),
  );

/** The vectors say `signature_mismatch` of these; the engine says more exactly that no digest has that length. */
const MALFORMED = [
  'github-14',
  'github-16',
  'github-19',
  'github-20',
  'stripe-19',
  'stripe-20',
  'standard-webhooks-19',
  'standard-webhooks-20',
  'standard-webhooks-26',
];

const PRESETS = [
  ['stripe', 20, stripe().scheme],
  ['github', 17, github().scheme],
  ['standard-webhooks', 15, standardWebhooks().scheme],
] as const;

describe.each(PRESETS)('known answers of %s', (name, count, scheme) => {
  it(`are ${count}`, () => {
    expect(vectorsOf(name)).toHaveLength(count);
  });

  it.each(vectorsOf(name).map((vector) => [vector.id, vector.note, vector] as const))('%s: %s', (id, _note, vector) => {
    const verdict = verdictOf(scheme, vector);

    const reason = MALFORMED.includes(id) ? 'malformed_signature' : vector.reason;
    const accepted = {
      kind: 'verified',
      secretIndex: vector.secrets === undefined ? 0 : vector.secrets.indexOf(signerOf(vector)),
    };
    expect(verdict).toEqual(vector.valid ? accepted : { kind: 'rejected', reason });
  });
});

/** In the rotation vectors it is the older secret, the second one, that signed. */
const signerOf = (vector: SignatureVector): string => vector.secrets?.[1] ?? vector.secret;

const identity = { id: 'body-hash', type: '$.type', redelivers: true } as const;
const hmacScheme = (options: Omit<Parameters<typeof hmac>[0], keyof typeof identity>): Scheme =>
  hmac({ lenient: false, ...identity, ...options }).scheme;

const pairs = (
  header: string,
  separator: ',' | ';',
  signatureKey: string,
  timestampKey: string,
  between: string,
): Scheme => ({
  ...stripe().scheme,
  header,
  format: { kind: 'pairs', separator, signatureKey, timestampKey },
  signed: ['timestamp', { text: between }, 'body'],
});

/** Providers without a preset here: each is data for the same engine. */
const AS_DATA: readonly (readonly [string, Scheme])[] = [
  [
    'slack',
    hmacScheme({
      header: 'X-Slack-Signature',
      prefix: 'v0=',
      timestampHeader: 'X-Slack-Request-Timestamp',
      signed: 'v0:{timestamp}:{body}',
    }),
  ],
  [
    'zoom',
    hmacScheme({
      header: 'x-zm-signature',
      prefix: 'v0=',
      timestampHeader: 'x-zm-request-timestamp',
      signed: 'v0:{timestamp}:{body}',
    }),
  ],
  ['shopify', hmacScheme({ header: 'X-Shopify-Hmac-Sha256', encoding: 'base64' })],
  ['meta', hmacScheme({ header: 'X-Hub-Signature-256', prefix: 'sha256=' })],
  ['bitbucket', hmacScheme({ header: 'X-Hub-Signature', prefix: 'sha256=' })],
  ['intercom', hmacScheme({ header: 'X-Hub-Signature', prefix: 'sha1=', hash: 'sha1' })],
  ['lemonsqueezy', hmacScheme({ header: 'X-Signature' })],
  ['razorpay', hmacScheme({ header: 'X-Razorpay-Signature' })],
  ['dropbox', hmacScheme({ header: 'X-Dropbox-Signature' })],
  ['adyen-platform', hmacScheme({ header: 'HmacSignature', encoding: 'base64', secretEncoding: 'hex' })],
  ['mux', pairs('mux-signature', ',', 'v1', 't', '.')],
  ['gitlab-signing', standardWebhooks().scheme],
  [
    'svix',
    {
      ...standardWebhooks().scheme,
      header: 'svix-signature',
      idHeader: 'svix-id',
      timestamp: { from: { header: 'svix-timestamp' }, unit: 's', pastSeconds: 300, futureSeconds: 300 },
    },
  ],
  [
    'paddle',
    {
      ...pairs('paddle-signature', ';', 'h1', 'ts', ':'),
      timestamp: { from: 'signature', unit: 's', pastSeconds: 5, futureSeconds: 300 },
    },
  ],
];

describe.each(AS_DATA)('known answers of %s, a scheme that is only data', (name, scheme) => {
  it.each(vectorsOf(name).map((vector) => [vector.id, vector.note, vector] as const))(
    '%s: %s',
    (_id, _note, vector) => {
      expect(verdictOf(scheme, vector).kind).toBe(vector.valid ? 'verified' : 'rejected');
    },
  );
});
