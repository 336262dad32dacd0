import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EpochSeconds, epochMs, toEpochSeconds } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { hmac } from '../../../lambda/providers/hmac.ts';
import { paddle } from '../../../lambda/providers/paddle.ts';
import type { Scheme } from '../../../lambda/providers/scheme.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { standardWebhooks } from '../../../lambda/providers/standard-webhooks.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';
import { twitch } from '../../../lambda/providers/twitch.ts';
import { zendesk } from '../../../lambda/providers/zendesk.ts';
import { CONTRACT_ROWS, presetOf } from './contract-rows.ts';

/* fast-check prints the seed and the shrunk example of a failure. */

const SECRET = Buffer.alloc(32, 0xa5).toString('base64');
const OTHER_SECRET = Buffer.alloc(32, 0x5a).toString('base64');
const generic = { header: 'x-sig', id: '$.id', type: '$.type', redelivers: true, lenient: false } as const;

const SCHEMES: readonly (readonly [string, Scheme])[] = [
  ['stripe', stripe().scheme],
  ['github', github().scheme],
  ['standard webhooks', standardWebhooks().scheme],
  ['paddle', paddle().scheme],
  ['twitch', twitch().scheme],
  ['zendesk', zendesk().scheme],
  ['hmac, bare hex', hmac(generic).scheme],
  [
    'hmac, base64 with time and id',
    hmac({
      ...generic,
      encoding: 'base64',
      timestampHeader: 'x-time',
      idHeader: 'x-id',
      signed: '{id}.{timestamp}.{body}',
    }).scheme,
  ],
];

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
  fc.json().map((text) => new TextEncoder().encode(text)),
  fc.constant(new Uint8Array()),
);
const ids = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
const times = fc
  .integer({ min: 1_000_000_000, max: 4_000_000_000 })
  .map((value) => toEpochSeconds(epochMs(value * 1000)));
const deliveries = fc.record({ id: ids, timestamp: times, body: bodies });

const accepts = (
  scheme: Scheme,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  at: EpochSeconds,
  secrets: readonly string[] = [SECRET],
): boolean => verifySignature(scheme, { headers, body }, secrets, epochMs(at * 1000)).kind === 'verified';

describe.each(SCHEMES)('%s', (_name, scheme) => {
  it('accepts any bytes that were signed', () => {
    fc.assert(
      fc.property(deliveries, (delivery) => {
        const headers = signDelivery(scheme, SECRET, delivery);

        expect(accepts(scheme, headers, delivery.body, delivery.timestamp)).toBe(true);
        expect(accepts(scheme, headers, delivery.body, delivery.timestamp, [OTHER_SECRET, SECRET])).toBe(true);
        expect(accepts(scheme, headers, delivery.body, delivery.timestamp, [OTHER_SECRET])).toBe(false);
      }),
    );
  });

  it('refuses a body of which one bit is flipped', () => {
    fc.assert(
      fc.property(deliveries, fc.nat(), (delivery, position) => {
        fc.pre(delivery.body.byteLength > 0);
        const headers = signDelivery(scheme, SECRET, delivery);
        const bit = position % (delivery.body.byteLength * 8);
        const flipped = delivery.body.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

        expect(accepts(scheme, headers, flipped, delivery.timestamp)).toBe(false);
      }),
    );
  });

  it('refuses a body that lost or gained bytes at either end', () => {
    fc.assert(
      fc.property(deliveries, fc.uint8Array({ minLength: 1, maxLength: 5 }), (delivery, extra) => {
        const headers = signDelivery(scheme, SECRET, delivery);
        const changed = [
          Buffer.concat([delivery.body, extra]),
          Buffer.concat([extra, delivery.body]),
          delivery.body.slice(1),
        ];

        for (const body of changed.filter((candidate) => candidate.byteLength !== delivery.body.byteLength)) {
          expect(accepts(scheme, headers, body, delivery.timestamp)).toBe(false);
        }
      }),
    );
  });

  it('refuses a header (signature, time or id) of which one bit is flipped', () => {
    fc.assert(
      fc.property(deliveries, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 6 }), (delivery, which, where, bit) => {
        const headers = signDelivery(scheme, SECRET, delivery);
        const names = Object.keys(headers);
        const name = names[which % names.length] ?? '';
        const value = headers[name] ?? '';
        const at = where % value.length;
        const flipped =
          value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ (1 << bit)) + value.slice(at + 1);

        expect(accepts(scheme, { ...headers, [name]: flipped }, delivery.body, delivery.timestamp)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a header that was cut off or that goes on', () => {
    fc.assert(
      fc.property(deliveries, fc.nat(), fc.stringMatching(/^[A-Za-z0-9+/=]{1,8}$/), (delivery, length, extra) => {
        const headers = signDelivery(scheme, SECRET, delivery);
        for (const [name, value] of Object.entries(headers)) {
          const short = { ...headers, [name]: value.slice(0, length % value.length) };
          const long = { ...headers, [name]: value + extra };

          expect(accepts(scheme, short, delivery.body, delivery.timestamp)).toBe(false);
          expect(accepts(scheme, long, delivery.body, delivery.timestamp)).toBe(false);
        }
      }),
    );
  });

  it('neither accepts nor throws for headers of any text', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), fc.stringMatching(/^[tv1=,; .0-9a]{0,60}$/));
    fc.assert(
      fc.property(deliveries, fc.array(texts, { minLength: 3, maxLength: 3 }), (delivery, values) => {
        const names = Object.keys(signDelivery(scheme, SECRET, delivery));
        const headers = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));

        expect(accepts(scheme, headers, delivery.body, delivery.timestamp)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe.each(Object.entries(CONTRACT_ROWS))('%s', (_name, row) => {
  const { scheme } = presetOf(row);
  const names = headerNames(scheme);
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.base64String({ maxLength: 100 }),
    fc.stringMatching(/^[0-9a-fA-F]{0,130}$/),
    fc.constantFrom('1760000000', '1760000000000', '2025-10-09T08:53:20Z'),
  );
  const inBody = fc.record({ timestamp: texts, token: texts, signature: texts });

  it('neither accepts nor throws for headers and fields that nobody signed', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 4, maxLength: 4 }), inBody, bodies, (values, signature, bytes) => {
        const headers = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
        const json = Buffer.from(JSON.stringify({ signature, webhookTimestamp: values[0] }));

        for (const body of [json, bytes]) {
          const request = { headers, body, url: 'https://hooks.example/in' };
          expect(verifySignature(scheme, request, [row.secret], epochMs(1_760_000_000_000)).kind).toBe('rejected');
        }
      }),
      { numRuns: 50 },
    );
  });
});

function headerNames(scheme: Scheme): readonly string[] {
  return [...JSON.stringify(scheme).matchAll(/"(?:header|idHeader)":"([^"]+)"/g)].map(([, name = '']) => name);
}
