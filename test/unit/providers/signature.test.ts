import { describe, expect, it } from 'vitest';
import { epochMs, plus, toEpochSeconds } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { hmac } from '../../../lambda/providers/hmac.ts';
import { linear } from '../../../lambda/providers/linear.ts';
import { mailgun } from '../../../lambda/providers/mailgun.ts';
import { paddle } from '../../../lambda/providers/paddle.ts';
import type { Scheme } from '../../../lambda/providers/scheme.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { MAX_SIGNATURES } from '../../../lambda/providers/signature-header.ts';
import { MAX_HEADER_LENGTH } from '../../../lambda/providers/signed-headers.ts';
import { square } from '../../../lambda/providers/square.ts';
import { standardWebhooks } from '../../../lambda/providers/standard-webhooks.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';
import { twitch } from '../../../lambda/providers/twitch.ts';

const NOW = epochMs(1_760_000_000_000);
const SECRET = 'whsec_cnVsZXMgb2YgdGhlIHNpZ25hdHVyZSBlbmdpbmU=';
const BODY = Buffer.from('{"type":"slip.credited"}');

const sign = (scheme: Scheme, id = 'msg_1', body: Uint8Array = BODY) =>
  signDelivery(scheme, SECRET, { id, timestamp: toEpochSeconds(NOW), body });
const verify = (scheme: Scheme, headers: Readonly<Record<string, string>>, body: Uint8Array = BODY, at = NOW) =>
  verifySignature(scheme, { headers, body }, [SECRET], at);
const rejected = (reason: string) => ({ kind: 'rejected', reason });
const VERIFIED = { kind: 'verified', secretIndex: 0 };

describe('cheap refusals', () => {
  const { scheme } = stripe();
  const signed = sign(scheme)['stripe-signature'] ?? '';

  it('read a signature header up to its longest length and no character more', () => {
    const padded = (length: number) => `${signed},v0=${'6'.repeat(length - signed.length - 4)}`;

    expect(verify(scheme, { 'stripe-signature': padded(MAX_HEADER_LENGTH) })).toEqual(VERIFIED);
    expect(verify(scheme, { 'stripe-signature': padded(MAX_HEADER_LENGTH + 1) })).toEqual(rejected('header_too_long'));
  });

  it('try as many signatures as are allowed, and none of one more', () => {
    const wrong = `,v1=${'0'.repeat(64)}`;

    expect(verify(scheme, { 'stripe-signature': signed + wrong.repeat(MAX_SIGNATURES - 1) })).toEqual(VERIFIED);
    expect(verify(scheme, { 'stripe-signature': signed + wrong.repeat(MAX_SIGNATURES) })).toEqual(
      rejected('too_many_signatures'),
    );
  });

  it('find the right signature wherever it stands among wrong ones', () => {
    const [time, right] = signed.split(',');
    const wrong = `v1=${'0'.repeat(64)}`;

    for (const order of [
      [right, wrong, wrong],
      [wrong, right, wrong],
      [wrong, wrong, right],
    ]) {
      expect(verify(scheme, { 'stripe-signature': [time, ...order].join(',') })).toEqual(VERIFIED);
    }
  });

  it.each([['v1=,'.repeat(10_000)], ['v1,'.repeat(10_000)], [' '.repeat(10_000)], ['a'.repeat(10_240)]])(
    'end before any hashing for a header of thousands of parts',
    (value) => {
      for (const preset of [stripe(), github(), standardWebhooks()]) {
        const headers = { ...sign(preset.scheme), [preset.scheme.header ?? '']: value };

        expect(verify(preset.scheme, headers)).toEqual(
          rejected(value.trim() === '' ? 'missing_header' : 'header_too_long'),
        );
      }
    },
  );

  it('limit the length of a signed id too', () => {
    const standard = standardWebhooks().scheme;

    expect(verify(standard, sign(standard, 'i'.repeat(MAX_HEADER_LENGTH)))).toEqual(VERIFIED);
    expect(verify(standard, sign(standard, 'i'.repeat(MAX_HEADER_LENGTH + 1)))).toEqual(rejected('header_too_long'));
  });
});

describe('a signed timestamp', () => {
  const { scheme } = standardWebhooks();
  const at = (text: string) => ({ ...sign(scheme), 'webhook-timestamp': text });

  it.each([
    '',
    ' ',
    'hello',
    '1760000000abc',
    ' 1760000000',
    '1760000000 ',
    '+1760000000',
    '-1',
    '1.76e9',
    '1760000000.0',
    '0x68e7',
    '１７６０',
    'NaN',
    'Infinity',
    '1'.repeat(16),
  ])('written %j is no timestamp', (text) => {
    expect(verify(scheme, at(text))).toEqual(rejected('bad_timestamp'));
  });

  it('is read up to 15 digits', () => {
    expect(verify(scheme, at('1'.repeat(15)))).toEqual(rejected('signature_mismatch'));
  });

  it('goes into the signed bytes as it was received, so another spelling is another signature', () => {
    expect(verify(scheme, at('01760000000'))).toEqual(rejected('signature_mismatch'));
  });

  it('that is stale is called stale only when it is authentic', () => {
    const late = plus(NOW, 3_600_000);

    expect(verify(scheme, sign(scheme), BODY, late)).toEqual(rejected('timestamp_too_old'));
    expect(verify(scheme, sign(scheme), Buffer.from('{}'), late)).toEqual(rejected('signature_mismatch'));
  });

  it('in seconds is compared with whole seconds', () => {
    expect(verify(scheme, sign(scheme), BODY, plus(NOW, 300_999))).toEqual(VERIFIED);
    expect(verify(scheme, sign(scheme), BODY, plus(NOW, 301_000))).toEqual(rejected('timestamp_too_old'));
  });

  it('in milliseconds is compared with milliseconds', () => {
    const inMilliseconds = hmac({
      header: 'x-sig',
      timestampHeader: 'x-time',
      timestampUnit: 'ms',
      signed: '{timestamp}{body}',
      id: '$.id',
      type: '$.type',
      redelivers: true,
    }).scheme;
    const headers = sign(inMilliseconds);

    expect(headers['x-time']).toBe('1760000000000');
    expect(verify(inMilliseconds, headers, BODY, plus(NOW, 300_000))).toEqual(VERIFIED);
    expect(verify(inMilliseconds, headers, BODY, plus(NOW, 300_001))).toEqual(rejected('timestamp_too_old'));
    expect(verify(inMilliseconds, headers, BODY, plus(NOW, -300_000))).toEqual(VERIFIED);
    expect(verify(inMilliseconds, headers, BODY, plus(NOW, -300_001))).toEqual(rejected('timestamp_too_new'));
  });

  it.each([[0], [5], [86_400]])('may be %i s away in both directions where the source says so', (tolerance) => {
    const sent = (seconds: number) =>
      verifySignature(scheme, { headers: sign(scheme), body: BODY }, [SECRET], plus(NOW, seconds * 1000), tolerance);

    expect(sent(tolerance)).toEqual(VERIFIED);
    expect(sent(tolerance + 1)).toEqual(rejected('timestamp_too_old'));
    expect(sent(-tolerance)).toEqual(VERIFIED);
    expect(sent(-tolerance - 1)).toEqual(rejected('timestamp_too_new'));
  });

  it('is refused by a tolerance or a clock that is not a number', () => {
    const request = { headers: sign(scheme), body: BODY };

    expect(verifySignature(scheme, request, [SECRET], NOW, Number.NaN)).toEqual(rejected('timestamp_too_old'));
    expect(verifySignature(scheme, request, [SECRET], epochMs(Number.NaN))).toEqual(rejected('timestamp_too_old'));
  });
});

describe('a header that came twice', () => {
  it('is refused in a pair list with two timestamps, even equal ones', () => {
    const { scheme } = stripe();
    const signed = sign(scheme)['stripe-signature'] ?? '';

    expect(verify(scheme, { 'stripe-signature': `t=1760000000,${signed}` })).toEqual(rejected('repeated_header'));
    expect(verify(scheme, { 'stripe-signature': `${signed},t=1` })).toEqual(rejected('repeated_header'));
  });

  it('is refused in a pair list that separates with semicolons', () => {
    const { scheme } = paddle();
    const signed = sign(scheme)['paddle-signature'] ?? '';

    expect(verify(scheme, { 'paddle-signature': signed })).toEqual(VERIFIED);
    expect(verify(scheme, { 'paddle-signature': `${signed},h1=0` })).toEqual(rejected('repeated_header'));
  });

  it('is refused where two version lists were joined', () => {
    const { scheme } = standardWebhooks();
    const headers = sign(scheme);
    const twice = `${headers['webhook-signature']} v1,AAAA,${headers['webhook-signature']}`;

    expect(verify(scheme, { ...headers, 'webhook-signature': twice })).toEqual(rejected('repeated_header'));
  });
});

describe('a signed id', () => {
  const { scheme } = standardWebhooks();

  it('must not contain the text that separates it from the next part', () => {
    const headers = sign(scheme, 'msg_1.1760000000');

    expect(verify(scheme, headers)).toEqual(rejected('bad_id'));
  });

  it('cannot borrow the timestamp by moving the separator', () => {
    const numeric = Buffer.from('1760000000.5');
    const headers = sign(scheme, 'msg_1', numeric);
    const moved = { ...headers, 'webhook-id': 'msg_1.1760000000', 'webhook-timestamp': '1760000000' };

    expect(verify(scheme, headers, numeric)).toEqual(VERIFIED);
    expect(verify(scheme, moved, Buffer.from('5'))).toEqual(rejected('bad_id'));
  });

  it.each(['', ' ', '\t'])('of %j is no id', (id) => {
    expect(verify(scheme, sign(scheme, id))).toEqual(rejected('missing_id'));
  });

  it('may be any other text, signed as UTF-8', () => {
    expect(verify(scheme, sign(scheme, 'zażółć#☕ 日本'))).toEqual(VERIFIED);
  });
});

describe('a signature', () => {
  it('of as many characters but more bytes is refused without an exception', () => {
    for (const character of ['é', '☕', '\u0161', '\u0000', '\ud800']) {
      expect(verify(github().scheme, { 'x-hub-signature-256': `sha256=${character.repeat(64)}` })).toEqual(
        rejected('signature_mismatch'),
      );
    }
  });

  it('must be the digest itself and not letters that share its low bytes', () => {
    const { scheme } = github();
    const digest = (sign(scheme)['x-hub-signature-256'] ?? '').slice('sha256='.length);
    const shifted = [...digest].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0x100)).join('');

    expect(verify(scheme, { 'x-hub-signature-256': `sha256=${shifted}` })).toEqual(rejected('signature_mismatch'));
  });

  it('of another version alone is passed over', () => {
    const { scheme } = standardWebhooks();
    const headers = sign(scheme);
    const asymmetric = (headers['webhook-signature'] ?? '').replace('v1,', 'v1a,');

    expect(verify(scheme, { ...headers, 'webhook-signature': asymmetric })).toEqual(
      rejected('no_signature_for_version'),
    );
    expect(
      verify(scheme, { ...headers, 'webhook-signature': `${asymmetric}  ${headers['webhook-signature']}` }),
    ).toEqual(VERIFIED);
  });

  it('keeps its white space and its case where the scheme is not lenient', () => {
    const { scheme } = stripe();
    const [time, right = ''] = (sign(scheme)['stripe-signature'] ?? '').split(',');

    expect(verify(scheme, { 'stripe-signature': `${time}, ${right}` })).toEqual(rejected('no_signature_for_version'));
    expect(verify(scheme, { 'stripe-signature': `${time},${right} ` })).toEqual(rejected('malformed_signature'));
    expect(verify(scheme, { 'stripe-signature': `${time},v1=${right.slice(3).toUpperCase()}` })).toEqual(
      rejected('signature_mismatch'),
    );
  });
});

it('the body is read through its own window, not through the memory behind it', () => {
  const { scheme } = github();
  const memory = Buffer.from(`xx${BODY.toString()}yy`);
  const window = new Uint8Array(memory.buffer, memory.byteOffset + 2, BODY.byteLength);

  expect(verify(scheme, sign(scheme), window)).toEqual(VERIFIED);
});

it('of two equal secrets the first is named', () => {
  const { scheme } = github();

  expect(verifySignature(scheme, { headers: sign(scheme), body: BODY }, ['other secret', SECRET, SECRET], NOW)).toEqual(
    {
      kind: 'verified',
      secretIndex: 1,
    },
  );
});

describe('a time inside the signed body', () => {
  const { scheme } = linear();
  const send = (text: string) => verify(scheme, sign(scheme, 'x', Buffer.from(text)), Buffer.from(text));

  it.each([
    ['{"webhookTimestamp":1760000000000}', undefined],
    ['{"webhookTimestamp":"1760000000000"}', undefined],
    ['{"webhookTimestamp":1759999939999}', 'timestamp_too_old'],
    ['{"webhookTimestamp":1760000060001}', 'timestamp_too_new'],
    ['{}', 'missing_timestamp'],
    ['{"webhookTimestamp":null}', 'missing_timestamp'],
    ['{"webhookTimestamp":17600000.5}', 'missing_timestamp'],
    ['{"webhookTimestamp":"2025-10-09T08:53:20Z"}', 'bad_timestamp'],
    ['{"webhookTimestamp":1760000000000', 'unreadable_body'],
    ['[]', 'missing_timestamp'],
  ])('%s', (text, reason) => {
    expect(send(text)).toEqual(reason === undefined ? VERIFIED : rejected(reason));
  });

  it('is read only after the signature matched', () => {
    expect(verify(scheme, sign(scheme), Buffer.from('no JSON'))).toEqual(rejected('signature_mismatch'));
  });
});

describe('a signature inside the body', () => {
  const { scheme } = mailgun();
  const send = (text: string) => verify(scheme, {}, Buffer.from(text));

  it.each([
    ['no JSON', 'unreadable_body'],
    ['{}', 'missing_header'],
    ['{"signature":{"signature":" "}}', 'missing_header'],
    ['{"signature":{"signature":"0a","timestamp":"1760000000","token":"t"}}', 'malformed_signature'],
    ['{"signature":{"signature":"0a","token":"t"}}', 'missing_timestamp'],
    ['{"signature":{"signature":"0a","timestamp":"soon","token":"t"}}', 'bad_timestamp'],
    ['{"signature":{"signature":"0a","timestamp":"1760000000"}}', 'missing_field'],
    ['{"signature":{"signature":["0a"],"timestamp":"1760000000","token":"t"}}', 'missing_header'],
  ])('%s', (text, reason) => {
    expect(send(text)).toEqual(rejected(reason));
  });
});

it('a time of ISO 8601 has a fixed shape, so nothing can move between it and what is signed beside it', () => {
  const { scheme } = twitch();
  const headers = sign(scheme, 'id-1');
  const time = headers['twitch-eventsub-message-timestamp'] ?? '';
  const moved = (id: string, at: string) => ({
    ...headers,
    'twitch-eventsub-message-id': id,
    'twitch-eventsub-message-timestamp': at,
  });

  expect(time).toBe('2025-10-09T08:53:20.000Z');
  expect(verify(scheme, headers)).toEqual(VERIFIED);
  expect(verify(scheme, moved('id-', `1${time}`))).toEqual(rejected('bad_timestamp'));
  expect(verify(scheme, moved('id-12', time.slice(1)))).toEqual(rejected('bad_timestamp'));
  expect(verify(scheme, moved('id-1', time.slice(0, -1)))).toEqual(rejected('bad_timestamp'));
  expect(verify(scheme, moved('id-1', `${time}{`))).toEqual(rejected('bad_timestamp'));
});

it('a scheme that signs the URL says so when it is given none, which is no sender’s doing', () => {
  const { scheme } = square();
  const headers = { 'x-square-hmacsha256-signature': 'A'.repeat(43).concat('=') };

  expect(() => verify(scheme, headers)).toThrow('this scheme signs the url, and there is none');
});
