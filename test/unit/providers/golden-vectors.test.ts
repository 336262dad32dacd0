import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../lambda/core/time.ts';
import {
  bitbucket,
  discord,
  dropbox,
  github,
  gitlab,
  hmac,
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
import type { Scheme, Verification } from '../../../lambda/providers/scheme.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { allVectors, lowerCased, type SignatureVector, vectorsOf } from './golden.ts';

/*
 * Known answers: published vectors of the providers and their SDKs, and others derived from them.
 *
 * Vectors marked `policy` could be decided otherwise; their verdict is followed as given. Upper-case
 * hex is refused where the SDKs compare text: a provider writes lower case, so nothing is lost; Discord's SDK decodes
 * it, and so it passes. A timestamp 301 s in the future is refused, where the SDKs of Stripe and Slack have no such
 * limit: a request could be kept back until its time comes. Discord names no limit at all. Paddle's 5 s are its own
 * default. An empty body with a correct signature is authentic: whether it is an event is the parser's question.
 * Mailgun signs no event data, so other data passes, see `mailgun()`.
 */

const balancePlatform = hmac({
  header: 'HmacSignature',
  encoding: 'base64',
  secretEncoding: 'hex',
  lenient: false,
  id: 'body-hash',
  type: '$.type',
  redelivers: true,
});

/** The scheme of the vectors, how many there are, and what checks them. */
const SCHEMES: readonly (readonly [string, number, (vector: SignatureVector) => Scheme])[] = [
  ['adyen-platform', 1, () => balancePlatform.scheme],
  ['bitbucket', 3, () => bitbucket().scheme],
  ['discord', 8, () => discord().scheme],
  ['dropbox', 1, () => dropbox().scheme],
  ['github', 17, () => github().scheme],
  ['gitlab-signing', 1, () => gitlab().scheme],
  ['gitlab-token', 3, () => gitlab({ proof: 'secret-token' }).scheme],
  // The vectors of v2 stand among those of v1 and say so in a header.
  ['hubspot-v1', 3, ({ headers }) => hubspot({ signature: versionIn(headers) }).scheme],
  ['hubspot-v3', 4, () => hubspot().scheme],
  ['intercom', 2, () => intercom().scheme],
  ['lemonsqueezy', 1, () => lemonSqueezy().scheme],
  ['linear', 3, () => linear().scheme],
  ['mailgun', 1, () => mailgun().scheme],
  ['meta', 2, () => meta().scheme],
  ['mux', 1, () => mux().scheme],
  ['paddle', 9, () => paddle().scheme],
  ['razorpay', 3, () => razorpay().scheme],
  ['sendgrid', 8, () => sendgrid().scheme],
  ['shopify', 5, () => shopify().scheme],
  ['slack', 9, () => slack().scheme],
  ['square', 7, () => square().scheme],
  ['standard-webhooks', 15, () => standardWebhooks().scheme],
  ['standard-webhooks-v1a', 4, () => standardWebhooksV1a().scheme],
  ['stripe', 20, () => stripe().scheme],
  ['svix', 2, () => svix().scheme],
  ['twitch', 3, () => twitch().scheme],
  ['zendesk', 3, () => zendesk().scheme],
  ['zoom', 1, () => zoom().scheme],
];

const versionIn = (headers: Readonly<Record<string, string>>): 'v1' | 'v2' =>
  headers['X-HubSpot-Signature-Version'] === 'v2' ? 'v2' : 'v1';

const verdictOf = (scheme: Scheme, vector: SignatureVector): Verification =>
  verifySignature(
    scheme,
    {
      headers: lowerCased(vector.headers),
      body: Buffer.from(vector.body, vector.bodyEncoding),
      method: vector.method ?? 'POST',
      url: vector.url,
    },
    vector.secrets ?? [vector.secret],
    epochMs((vector.nowSeconds ?? 1_760_000_000) * 1000),
  );

/** Where the engine's reason is another word, or more exact, than that of the vectors. */
const MORE_EXACT: Readonly<Record<string, readonly string[]>> = {
  signature_mismatch: ['signature_mismatch', 'malformed_signature'],
  token_mismatch: ['signature_mismatch'],
  // A comma in a list that has none is what a doubled header looks like.
  no_signature_for_version: ['no_signature_for_version', 'repeated_header'],
};

describe.each(SCHEMES)('known answers of %s', (name, count, schemeOf) => {
  it(`are ${count}`, () => {
    expect(vectorsOf(name)).toHaveLength(count);
  });

  it.each(vectorsOf(name).map((vector) => [vector.id, vector.note, vector] as const))(
    '%s: %s',
    (_id, _note, vector) => {
      const verdict = verdictOf(schemeOf(vector), vector);

      if (vector.valid) {
        expect(verdict).toEqual({ kind: 'verified', secretIndex: vector.secrets === undefined ? 0 : signerOf(vector) });
      } else {
        expect(verdict.kind).toBe('rejected');
        const { reason = '' } = vector;
        expect(MORE_EXACT[reason] ?? [reason]).toContain(verdict.kind === 'rejected' ? verdict.reason : undefined);
      }
    },
  );
});

/** In the rotation vectors it is the older secret, the second one, that signed. */
const signerOf = ({ secrets = [] }: SignatureVector): number => secrets.length - 1;

it('the exact reason for a signature that no digest is as long as is that it is malformed', () => {
  const ids = SCHEMES.flatMap(([name, , schemeOf]) =>
    vectorsOf(name).flatMap((vector) => {
      const verdict = verdictOf(schemeOf(vector), vector);
      return verdict.kind === 'rejected' && verdict.reason === 'malformed_signature' ? [vector.id] : [];
    }),
  );

  expect(ids).toEqual([
    'discord-07',
    'discord-08',
    'github-14',
    'github-16',
    'github-19',
    'github-20',
    'razorpay-03',
    'shopify-07',
    'slack-12',
    'square-08',
    'standard-webhooks-19',
    'standard-webhooks-20',
    'standard-webhooks-26',
    'stripe-19',
    'stripe-20',
  ]);
});

it('every vector on file is of a scheme that is data and checked here, or of one that is code', () => {
  const code = ['adyen', 'aws-sns', 'paypal', 'plaid', 'sslcommerz', 'twilio'];
  const known = [...SCHEMES.map(([name]) => name), ...code];

  expect(allVectors().filter(({ scheme }) => !known.includes(scheme))).toEqual([]);
});
