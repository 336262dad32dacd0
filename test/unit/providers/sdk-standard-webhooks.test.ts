import fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../lambda/core/time.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { standardWebhooks } from '../../../lambda/providers/standard-webhooks.ts';

/*
 * The Standard Webhooks SDK beside the engine: one verdict, except for the differences listed.
 * The SDK reads the wall clock, so signatures are fresh and no offset is near a limit.
 */

const SECRET = `whsec_${Buffer.alloc(32, 0x42).toString('base64')}`;
const { scheme } = standardWebhooks();
const sdk = new Webhook(SECRET);

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const ours = (delivery: Delivery): boolean =>
  verifySignature(scheme, delivery, [SECRET], epochMs(Date.now())).kind === 'verified';

function theirs({ headers, body }: Delivery): boolean {
  try {
    sdk.verify(Buffer.from(body), { ...headers }, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const signed = (text: string, id = 'msg_1', at = nowSeconds()) => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': sdk.sign(id, new Date(at * 1000), text),
});

interface Difference {
  readonly why: string;
  readonly applies: (delivery: Delivery) => boolean;
  readonly example: () => Delivery;
  readonly oursAccepts: boolean;
}

const BODY = '{"type":"slip.credited"}';

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'the SDK reads a timestamp with parseInt and signs the number it read',
    applies: ({ headers }) => !/^[1-9][0-9]*$/.test(headers['webhook-timestamp'] ?? '0'),
    example: () => {
      const headers = signed(BODY);
      return { headers: { ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}abc` }, body: bytes(BODY) };
    },
    oursAccepts: false,
  },
  {
    why: 'the SDK takes an id with a full stop, which the specification forbids',
    applies: ({ headers }) => headers['webhook-id']?.includes('.') === true,
    example: () => ({ headers: signed(BODY, 'msg.1'), body: bytes(BODY) }),
    oursAccepts: false,
  },
  {
    why: 'the SDK takes an id that is blank or a list',
    applies: ({ headers }) => headers['webhook-id']?.trim() === '' || headers['webhook-id']?.includes(',') === true,
    example: () => ({ headers: signed(BODY, 'msg_1,msg_1'), body: bytes(BODY) }),
    oursAccepts: false,
  },
  {
    why: 'the SDK reads a doubled signature header up to its second comma',
    applies: ({ headers }) =>
      (headers['webhook-signature'] ?? '').split(' ').some((entry) => entry.split(',').length > 2),
    example: () => {
      const headers = signed(BODY);
      return {
        headers: { ...headers, 'webhook-signature': `${headers['webhook-signature']},v1,AAAA` },
        body: bytes(BODY),
      };
    },
    oursAccepts: false,
  },
  {
    why: 'the SDK turns the body into text, which loses what is not UTF-8',
    applies: ({ body }) => !Buffer.from(Buffer.from(body).toString('utf8'), 'utf8').equals(body),
    example: () => ({ headers: signed('\ufffd'), body: Uint8Array.of(0xff) }),
    oursAccepts: false,
  },
];

describe('known differences from the Standard Webhooks SDK', () => {
  it.each(DIFFERENCES.map((difference) => [difference.why, difference] as const))(
    '%s',
    (_why, { applies, example, oursAccepts }) => {
      const delivery = example();

      expect(ours(delivery)).toBe(oursAccepts);
      expect(theirs(delivery)).toBe(!oursAccepts);
      expect(applies(delivery)).toBe(true);
    },
  );
});

const texts = fc.oneof(fc.json(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', BODY, `\ufeff${BODY}`));
const ids = fc.constantFrom('msg_1', 'msg_1', 'msg_1', 'evt-2', 'ü☕', ' ', 'a.b');
const offsets = fc.constantFrom(0, 0, 0, 0, -200, 200, -400, 400);
const lists = fc.array(
  fc.constantFrom<(right: string) => string>(
    (right) => right,
    (right) => right,
    (right) => right,
    (right) => right,
    (right) => right.replace('v1,', 'v1a,'),
    (right) => right.replace('v1,', 'v2,'),
    (right) => right.replace('v1,', ''),
    (right) => right.replace('=', ''),
    (right) => `${right}=`,
    (right) => right.toLowerCase(),
    (right) => `${right},`,
    () => 'v1,',
    () => '',
  ),
  { minLength: 1, maxLength: 4 },
);
const changes = fc.constantFrom<(headers: Readonly<Record<string, string>>) => Record<string, string>>(
  (headers) => headers,
  (headers) => headers,
  (headers) => headers,
  (headers) => headers,
  ({ 'webhook-id': _id, ...others }) => others,
  ({ 'webhook-timestamp': _time, ...others }) => others,
  ({ 'webhook-signature': _signature, ...others }) => others,
  (headers) => ({ ...headers, 'webhook-id': 'msg_2' }),
  (headers) => ({ ...headers, 'webhook-timestamp': `0${headers['webhook-timestamp']}` }),
);

it('verifies as the Standard Webhooks SDK does wherever no known difference applies', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(texts, ids, offsets, lists, changes, (text, id, offset, list, change) => {
      const right = signed(text, id, nowSeconds() + offset);
      const signature = list.map((entry) => entry(right['webhook-signature'])).join(' ');
      const delivery = { headers: change({ ...right, 'webhook-signature': signature }), body: bytes(text) };
      if (DIFFERENCES.some(({ applies }) => applies(delivery))) return;
      const verdict = theirs(delivery);
      seen[verdict ? 'accepted' : 'refused'] += 1;

      expect(ours(delivery)).toBe(verdict);
    }),
    { numRuns: 2000 },
  );
  expect(seen.accepted).toBeGreaterThan(10);
  expect(seen.refused).toBeGreaterThan(10);
});
