import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../lambda/core/time.ts';
import { adyen } from '../../../lambda/providers/adyen.ts';
import { awsSns } from '../../../lambda/providers/aws-sns.ts';
import type { CodeScheme } from '../../../lambda/providers/code-scheme.ts';
import { paypal } from '../../../lambda/providers/paypal.ts';
import { plaid } from '../../../lambda/providers/plaid.ts';
import type { Verification } from '../../../lambda/providers/scheme.ts';
import { sslcommerz } from '../../../lambda/providers/sslcommerz.ts';
import { twilio } from '../../../lambda/providers/twilio.ts';
import { codeVerdict } from '../../support/code-verdict.ts';
import { lowerCased, type SignatureVector, vectorsOf } from './golden.ts';

/*
 * Known answers of the schemes that are code. The vector `adyen-10` is marked `policy`: a field that no
 * signature covers was changed. Nobody can tell, so it is accepted, and the preset's docstring says what
 * a handler must not rely on.
 */

type CodeVector = SignatureVector & {
  readonly url?: string;
  readonly webhookId?: string;
  /** The verdict of the official SDK, where there is one. */
  readonly sdkValid?: boolean;
};

/** A day on which the certificate of the vectors is valid. */
const NOW_SECONDS = Date.UTC(2026, 11, 2) / 1000;

/** What is configured for a vector, and what its provider publishes. */
interface Setting {
  readonly scheme: CodeScheme;
  readonly secretOf: (vector: CodeVector) => string;
  readonly documentOf?: (vector: CodeVector) => string;
}

const TOPIC = 'arn:aws:sns:ap-southeast-1:123456789012:bpt_TEST';

const SETTINGS: readonly (readonly [string, number, Setting])[] = [
  ['twilio', 17, { scheme: twilio().scheme, secretOf: ({ secret }) => secret }],
  ['adyen', 7, { scheme: adyen().scheme, secretOf: ({ secret }) => secret }],
  ['sslcommerz', 2, { scheme: sslcommerz().scheme, secretOf: ({ secret }) => secret }],
  [
    'paypal',
    5,
    {
      scheme: paypal().scheme,
      secretOf: ({ webhookId = '' }) => webhookId,
      documentOf: ({ secret }) => secret,
    },
  ],
  [
    'plaid',
    5,
    {
      scheme: plaid().scheme,
      secretOf: () => 'client-id-of-24-characters:secret-of-the-account',
      documentOf: ({ secret }) => `{"key":${secret},"request_id":"r"}`,
    },
  ],
  ['aws-sns', 3, { scheme: awsSns().scheme, secretOf: () => TOPIC, documentOf: ({ secret }) => secret }],
];

const verdictOf = (vector: CodeVector, { scheme, secretOf, documentOf }: Setting): Verification =>
  codeVerdict(scheme, {
    url: vector.url ?? '',
    headers: lowerCased(vector.headers),
    body: Buffer.from(vector.body, vector.bodyEncoding),
    secrets: [secretOf(vector)],
    at: epochMs((vector.nowSeconds ?? NOW_SECONDS) * 1000),
    publish: () => ({ kind: 'found', text: documentOf?.(vector) ?? '' }),
  }).verdict;

describe.each(SETTINGS)('known answers of %s', (name, count, setting) => {
  const vectors: readonly CodeVector[] = vectorsOf(name);

  it(`are ${count}`, () => {
    expect(vectors).toHaveLength(count);
  });

  it.each(vectors.map((vector) => [vector.id, vector.note, vector] as const))('%s: %s', (_id, _note, vector) => {
    const verdict = verdictOf(vector, setting);

    const expected: Verification = { kind: 'verified', secretIndex: 0 };
    expect(verdict).toEqual(vector.valid ? expected : { kind: 'rejected', reason: vector.reason });
  });

  it('agree with the official SDK where there is one', () => {
    expect(vectors.filter(({ valid, sdkValid }) => sdkValid !== undefined && sdkValid !== valid)).toEqual([]);
  });
});
