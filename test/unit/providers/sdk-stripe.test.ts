import fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { epochMs } from '../../../lambda/core/time.ts';
import type { StripeEventType } from '../../../lambda/providers/event-types.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';

/* Stripe's own SDK beside the engine: one verdict, except for the differences listed. */

const SECRET = 'whsec_differential_secret';
const NOW_SECONDS = 1_760_000_000;
const { scheme } = stripe();
const sdk = new Stripe('sk_test_never_used');

interface Delivery {
  readonly header: string;
  readonly body: Uint8Array;
  readonly nowSeconds: number;
}

const ours = ({ header, body, nowSeconds }: Delivery): boolean =>
  verifySignature(scheme, { headers: { 'stripe-signature': header }, body }, [SECRET], epochMs(nowSeconds * 1000))
    .kind === 'verified';

/** `verifyHeader` is what `constructEvent` does before it parses the JSON. It refuses by throwing. */
function theirs({ header, body, nowSeconds }: Delivery): boolean {
  try {
    return (
      sdk.webhooks.signature?.verifyHeader(Buffer.from(body), header, SECRET, 300, undefined, nowSeconds * 1000) ===
      true
    );
  } catch {
    return false;
  }
}

const signatureOf = (body: string, timestamp = NOW_SECONDS): string =>
  sdk.webhooks.generateTestHeaderString({ payload: body, secret: SECRET, timestamp }).split('v1=')[1] ?? '';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const isPlainText = (body: Uint8Array): boolean => Buffer.from(new TextDecoder().decode(body), 'utf8').equals(body);
const timesOf = (header: string): readonly string[] =>
  header.split(',').filter((item) => item.split('=')[0]?.trim() === 't');

interface Difference {
  readonly why: string;
  readonly applies: (delivery: Delivery) => boolean;
  /** The smallest delivery on which the verdicts differ. */
  readonly example: Delivery;
  readonly oursAccepts: boolean;
}

const BODY = '{"id":"evt_1"}';
const good = (header: string, nowSeconds = NOW_SECONDS, body = bytes(BODY)): Delivery => ({ header, body, nowSeconds });
const TIME_ITEM = /(?:^|,)t=(?![1-9][0-9]{0,14}(?:,|$))/;

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'the SDK has no limit into the future',
    applies: ({ header, nowSeconds }) =>
      timesOf(header).some((item) => Number.parseInt(item.slice(2), 10) > nowSeconds + 300),
    example: good(`t=${NOW_SECONDS},v1=${signatureOf(BODY)}`, NOW_SECONDS - 301),
    oursAccepts: false,
  },
  {
    why: 'the SDK turns the body into text, which loses a byte order mark and what is not UTF-8',
    applies: ({ body }) => !isPlainText(body),
    example: good(`t=${NOW_SECONDS},v1=${signatureOf(`\ufeff${BODY}`)}`, NOW_SECONDS, bytes(`\ufeff${BODY}`)),
    oursAccepts: true,
  },
  {
    why: 'the SDK takes the last of several timestamps',
    applies: ({ header }) => timesOf(header).length > 1,
    example: good(`t=1,t=${NOW_SECONDS},v1=${signatureOf(BODY)}`),
    oursAccepts: false,
  },
  {
    why: 'the SDK reads a timestamp with parseInt and signs the number it read',
    applies: ({ header }) => TIME_ITEM.test(header),
    example: good(`t=${NOW_SECONDS}abc,v1=${signatureOf(BODY)}`),
    oursAccepts: false,
  },
  {
    why: 'the SDK cuts a signature at a second equals sign',
    applies: ({ header }) => header.split(',').some((item) => item.split('=').length > 2),
    example: good(`t=${NOW_SECONDS},v1=${signatureOf(BODY)}=x`),
    oursAccepts: false,
  },
  {
    why: 'the SDK fails on a v1 without a value, even beside a good one',
    applies: ({ header }) => header.split(',').some((item) => item === 'v1' || item === 'v1='),
    example: good(`t=${NOW_SECONDS},v1=,v1=${signatureOf(BODY)}`),
    oursAccepts: true,
  },
  {
    why: 'the SDK has no limit to the number of signatures',
    applies: ({ header }) => header.split(',').length > 33,
    example: good(`t=${NOW_SECONDS}${`,v1=${'0'.repeat(64)}`.repeat(32)},v1=${signatureOf(BODY)}`),
    oursAccepts: false,
  },
];

describe('known differences from the Stripe SDK', () => {
  it.each(DIFFERENCES.map((difference) => [difference.why, difference] as const))(
    '%s',
    (_why, { applies, example, oursAccepts }) => {
      expect(ours(example)).toBe(oursAccepts);
      expect(theirs(example)).toBe(!oursAccepts);
      expect(applies(example)).toBe(true);
    },
  );
});

const bodies = fc.oneof(
  fc.json().map(bytes),
  fc.string({ unit: 'grapheme' }).map(bytes),
  fc.uint8Array({ maxLength: 30 }),
  fc.constantFrom(bytes(''), bytes(BODY), bytes(`\ufeff${BODY}`)),
);

/** Headers near the right one: parts left out, repeated, misspelt, for another time or another body. */
const deliveries: fc.Arbitrary<Delivery> = bodies.chain((body) => {
  const text = Buffer.from(body).toString('utf8');
  const right = signatureOf(text);
  const item = fc.constantFrom(
    `v1=${right}`,
    `v1=${right}`,
    `v1=${right}`,
    `v0=${right}`,
    `v1=${right.toUpperCase()}`,
    `v1=${right.slice(1)}`,
    `v1=${right}=`,
    ` v1=${right}`,
    `v1=`,
    'v1',
    '',
    `v1=${signatureOf(`${text} `)}`,
    `v1=${signatureOf(text, NOW_SECONDS - 400)}`,
  );
  const time = fc.constantFrom(
    [`t=${NOW_SECONDS}`],
    [`t=${NOW_SECONDS}`],
    [`t=${NOW_SECONDS}`],
    [`t=${NOW_SECONDS - 400}`],
    [],
    [`t=${NOW_SECONDS}x`],
    [`t=0${NOW_SECONDS}`],
    [`t= ${NOW_SECONDS}`],
    ['t='],
    [`t=${NOW_SECONDS}`, `t=${NOW_SECONDS}`],
    [`T=${NOW_SECONDS}`],
  );
  return fc
    .record({
      items: fc.array(item, { minLength: 0, maxLength: 4 }),
      time,
      timeLast: fc.boolean(),
      offset: fc.constantFrom(0, 0, 0, 1, 299, 300, 301, -299, -300, -301),
    })
    .map(({ items, time: times, timeLast, offset }) => ({
      header: (timeLast ? [...items, ...times] : [...times, ...items]).join(','),
      body,
      nowSeconds: NOW_SECONDS + offset,
    }));
});

it('verifies as the Stripe SDK does wherever no known difference applies', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(deliveries, (delivery) => {
      if (DIFFERENCES.some(({ applies }) => applies(delivery))) return;
      const verdict = theirs(delivery);
      seen[verdict ? 'accepted' : 'refused'] += 1;

      expect(ours(delivery)).toBe(verdict);
    }),
    { numRuns: 3000 },
  );
  expect(seen.accepted).toBeGreaterThan(10);
  expect(seen.refused).toBeGreaterThan(10);
});

it('every event type that is offered for Stripe is one of its SDK', () => {
  expectTypeOf<StripeEventType>().toExtend<Stripe.Event['type']>();
});
