import { describe, expect, it } from 'vitest';
import { epochMs, plus, toEpochSeconds } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { hmac } from '../../../lambda/providers/hmac.ts';
import type { ProviderPreset } from '../../../lambda/providers/preset.ts';
import { decodeSecret, examineSecret } from '../../../lambda/providers/secret-key.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { standardWebhooks } from '../../../lambda/providers/standard-webhooks.ts';
import { stripe } from '../../../lambda/providers/stripe.ts';
import { readSignedPayload } from './golden.ts';

/** What the contract has to know of a preset. A new preset is one more row. */
interface ContractRow {
  readonly build: () => ProviderPreset;
  /** The factory with an option it does not know. */
  readonly buildWrongly: (options: Readonly<Record<string, unknown>>) => unknown;
  readonly secret: string;
  /** As good as `secret`, but not the one that signs. */
  readonly otherSecret: string;
  /** The key text of a secret with so many key bytes. */
  readonly secretOfBytes: (bytes: number) => string;
  /** Signed payloads on file, if there are any. */
  readonly payloads: readonly string[];
}

const HMAC = { header: 'X-Shop-Signature', prefix: 'sha256=', id: '$.id', type: '$.type', redelivers: true } as const;
const TIMED = { timestampHeader: 'X-Shop-Time', idHeader: 'X-Shop-Id', signed: 'v0:{id}:{timestamp}:{body}' } as const;
const asText = (bytes: number): string => 'k'.repeat(bytes);
const asBase64 = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

const ROWS: Readonly<Record<string, ContractRow>> = {
  stripe: {
    build: () => stripe(),
    buildWrongly: (options) => Reflect.apply(stripe, undefined, [options]),
    secret: 'whsec_contract_secret_one',
    otherSecret: 'whsec_contract_secret_two',
    secretOfBytes: asText,
    payloads: [
      'stripe-invoice-paid.json',
      'stripe-customer-subscription-updated.json',
      'stripe-customer-subscription-updated-second-event.json',
    ],
  },
  github: {
    build: () => github(),
    buildWrongly: (options) => Reflect.apply(github, undefined, [options]),
    secret: 'a long github secret, the first',
    otherSecret: 'a long github secret, the second',
    secretOfBytes: asText,
    payloads: ['github-push.json', 'github-issues-opened.json', 'github-ping.json'],
  },
  'standard webhooks': {
    build: () => standardWebhooks(),
    buildWrongly: (options) => Reflect.apply(standardWebhooks, undefined, [options]),
    secret: asBase64(32),
    otherSecret: asBase64(33),
    secretOfBytes: asBase64,
    payloads: ['standard-webhooks-order-shipped.json'],
  },
  'standard webhooks with text secrets': {
    build: () => standardWebhooks({ secretEncoding: 'utf8' }),
    buildWrongly: (options) => Reflect.apply(standardWebhooks, undefined, [{ secretEncoding: 'utf8', ...options }]),
    secret: 'whsec_this is text and no base64',
    otherSecret: 'this is text and no base64, too',
    secretOfBytes: asText,
    payloads: [],
  },
  'hmac of the body': {
    build: () => hmac(HMAC),
    buildWrongly: (options) => Reflect.apply(hmac, undefined, [{ ...HMAC, ...options }]),
    secret: 'hmac contract secret one',
    otherSecret: 'hmac contract secret two',
    secretOfBytes: asText,
    payloads: [],
  },
  'hmac with time and id, base64 of SHA-512': {
    build: () => hmac({ ...HMAC, ...TIMED, encoding: 'base64', hash: 'sha512', timestampUnit: 'ms', lenient: false }),
    buildWrongly: (options) => Reflect.apply(hmac, undefined, [{ ...HMAC, ...TIMED, ...options }]),
    secret: 'hmac contract secret one',
    otherSecret: 'hmac contract secret two',
    secretOfBytes: asText,
    payloads: [],
  },
};

const NOW = epochMs(1_760_000_000_000);
const BODY = Buffer.from('{"id":"evt_1","type":"thing.happened"}');

describe.each(Object.entries(ROWS))('preset contract: %s', (_name, row) => {
  const preset = row.build();
  const { scheme } = preset;
  const headers = signDelivery(scheme, row.secret, { id: 'msg_1', timestamp: toEpochSeconds(NOW), body: BODY });
  const verify = (changed: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Uint8Array;
    readonly secrets?: readonly string[];
    readonly atSeconds?: number;
  }) =>
    verifySignature(
      scheme,
      { headers: changed.headers ?? headers, body: changed.body ?? BODY },
      changed.secrets ?? [row.secret],
      plus(NOW, (changed.atSeconds ?? 0) * 1000),
    );

  it('accepts what it signs', () => {
    expect(verify({})).toEqual({ kind: 'verified', secretIndex: 0 });
  });

  it('accepts the second of two secrets and says which one it was', () => {
    expect(verify({ secrets: [row.otherSecret, row.secret] })).toEqual({ kind: 'verified', secretIndex: 1 });
  });

  it('refuses another secret', () => {
    expect(verify({ secrets: [row.otherSecret] })).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
  });

  it.each([[[]], [['']], [['  \n']], [['', ' ']]])('has no key among the secrets %j', (secrets) => {
    expect(verify({ secrets })).toEqual({ kind: 'rejected', reason: 'no_usable_secret' });
  });

  it('passes over an empty secret beside a good one', () => {
    expect(verify({ secrets: ['', row.secret] })).toEqual({ kind: 'verified', secretIndex: 1 });
  });

  it('refuses another body', () => {
    expect(verify({ body: Buffer.concat([BODY, Buffer.from('\n')]) }).kind).toBe('rejected');
  });

  it.each(Object.keys(headers))('refuses a delivery without %s', (name) => {
    const { [name]: _left, ...others } = headers;

    expect(verify({ headers: others }).kind).toBe('rejected');
    expect(verify({ headers: { ...headers, [name]: '' } }).kind).toBe('rejected');
  });

  it.each(Object.keys(headers))('refuses %s when it came twice', (name) => {
    for (const joint of [',', ', ']) {
      const doubled = { ...headers, [name]: `${headers[name]}${joint}${headers[name]}` };

      expect(verify({ headers: doubled })).toEqual({ kind: 'rejected', reason: 'repeated_header' });
    }
  });

  const { timestamp } = scheme;
  if (timestamp !== undefined) {
    it('accepts an age up to its tolerance and no second more', () => {
      expect(verify({ atSeconds: timestamp.pastSeconds }).kind).toBe('verified');
      expect(verify({ atSeconds: timestamp.pastSeconds + 1 })).toEqual({
        kind: 'rejected',
        reason: 'timestamp_too_old',
      });
      expect(verify({ atSeconds: -timestamp.futureSeconds }).kind).toBe('verified');
      expect(verify({ atSeconds: -timestamp.futureSeconds - 1 })).toEqual({
        kind: 'rejected',
        reason: 'timestamp_too_new',
      });
    });
  }

  it.each([...row.payloads])('accepts %s as it is on file', (file) => {
    const payload = readSignedPayload(file);

    const verdict = verifySignature(scheme, payload, [payload.secret], epochMs(payload.nowSeconds * 1000));

    expect(verdict).toEqual({ kind: 'verified', secretIndex: 0 });
  });

  it('signs the body once, and a time or an id exactly where it reads one', () => {
    const count = (part: string) => scheme.signed.filter((signed) => signed === part).length;

    expect(count('body')).toBe(1);
    expect(count('timestamp')).toBe(scheme.timestamp === undefined ? 0 : 1);
    expect(count('id')).toBe(scheme.idHeader === undefined ? 0 : 1);
  });

  it('writes every header name in lower case', () => {
    const json = JSON.stringify(preset);
    const located = [...json.matchAll(/"(?:header|idHeader)":"([^"]+)"/g)].map(([, name]) => name ?? '');

    expect(located).not.toHaveLength(0);
    for (const name of [...located, ...preset.headers]) expect(name).toBe(name.toLowerCase());
  });

  it('never shows a handler the header that authenticates', () => {
    expect(preset.headers).not.toContain(scheme.header);
  });

  it('says where the type is, how long copies may come, and what success is', () => {
    expect(preset.type.length).toBeGreaterThan(0);
    expect(preset.type.every((entry) => entry.length > 0)).toBe(true);
    expect(preset.retryHorizon).toBeGreaterThan(0);
    expect(preset.deadline ?? 1).toBeGreaterThan(0);
    expect(preset.name).toMatch(/^[a-z-]+$/);
  });

  it('cannot be changed, at any depth', () => {
    const openParts = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && (!Object.isFrozen(value) || Object.values(value).some(openParts));

    expect(openParts(preset)).toBe(false);
  });

  it('refuses an option it does not know, by name', () => {
    expect(() => row.buildWrongly({ tolerence: 7 })).toThrow(/\(\) does not know the option "tolerence"/);
  });

  it('does not repeat the value of an unknown option, which may be a secret', () => {
    const wrongly = () => row.buildWrongly({ secret: 'whsec_do_not_print' });

    expect(wrongly).toThrow(/oncehook secret set/);
    expect(wrongly).not.toThrow(/do_not_print/);
  });

  it('judges a secret before it is stored by its shortest key, and verifies with a shorter one', () => {
    const { minKeyBytes } = scheme.secret;
    const short = row.secretOfBytes(minKeyBytes - 1);
    const signedShort = signDelivery(scheme, short, { id: 'msg_1', timestamp: toEpochSeconds(NOW), body: BODY });

    expect(examineSecret(scheme.secret, row.secret)).toBe('usable');
    expect(examineSecret(scheme.secret, row.secretOfBytes(minKeyBytes))).toBe('usable');
    expect(examineSecret(scheme.secret, short)).toBe('too_short');
    expect(examineSecret(scheme.secret, '')).toBe('empty');
    expect(decodeSecret(scheme.secret, short)).toBeDefined();
    expect(verify({ headers: signedShort, secrets: [short] }).kind).toBe('verified');
  });
});
