import { describe, expect, it } from 'vitest';
import { epochMs, plus, toEpochSeconds } from '../../../lambda/core/time.ts';
import { stampBody } from '../../../lambda/operator/delivery/stamp-body.ts';
import { signedBytes } from '../../../lambda/providers/digest.ts';
import type { ProviderPreset } from '../../../lambda/providers/preset.ts';
import { decodeSecret, examineSecret } from '../../../lambda/providers/secret-key.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { type SignedRequest, verifySignature } from '../../../lambda/providers/signature.ts';
import { CONTRACT_ROWS, type ContractRow, presetOf } from './contract-rows.ts';
import { readSignedPayload } from './golden.ts';

const NOW = epochMs(1_760_000_000_000);
const URL = 'https://hooks.example/in';
const BODY = Buffer.from('{"id":"evt_1","type":"thing.happened","signature":{"token":"token-1"}}');
const FAR_SECONDS = 10 * 365 * 86_400;

/** As the provider sends it at {@link NOW}. */
function prove(row: ContractRow, { scheme }: ProviderPreset, plain: Uint8Array, secret = row.secret): SignedRequest {
  const unsigned = { id: 'msg_1', timestamp: toEpochSeconds(NOW), body: plain, url: URL };
  if (row.signWith === undefined) {
    const body = stampBody(scheme, secret, unsigned);
    return { headers: signDelivery(scheme, secret, { ...unsigned, body }), body, url: URL };
  }
  if (scheme.kind !== 'public-key' || scheme.header === undefined)
    throw new Error('the row signs, the scheme does not');
  const { format, timestamp: time } = scheme;
  const timestamp = String(unsigned.timestamp);
  const pieces = signedBytes(scheme, { ...unsigned, timestamp });
  const signature = row.signWith(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))).toString(scheme.encoding);
  const headers: Record<string, string> = {
    [scheme.header]: format.kind === 'versioned-list' ? `${format.version},${signature}` : signature,
  };
  if (scheme.idHeader !== undefined) headers[scheme.idHeader] = unsigned.id;
  if (typeof time?.from === 'object' && 'header' in time.from) headers[time.from.header] = timestamp;
  return { headers, body: plain, url: URL };
}

describe.each(Object.entries(CONTRACT_ROWS))('preset contract: %s', (_name, row) => {
  const preset = presetOf(row);
  const { scheme } = preset;
  const genuine = prove(row, preset, BODY);
  const { headers } = genuine;
  const verify = (changed: {
    readonly request?: Partial<SignedRequest>;
    readonly secrets?: readonly string[];
    readonly atSeconds?: number;
    readonly toleranceSeconds?: number;
  }) =>
    verifySignature(
      scheme,
      { ...genuine, ...changed.request },
      changed.secrets ?? [row.secret],
      plus(NOW, (changed.atSeconds ?? 0) * 1000),
      changed.toleranceSeconds,
    );

  it('accepts what is genuine', () => {
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

  if (row.proves === undefined) {
    it('refuses a body that was tampered with or cut off', () => {
      const { body } = genuine;
      const tampered = Buffer.from(body);
      tampered[body.length - 2] = (tampered[body.length - 2] ?? 0) ^ 1;

      for (const other of [tampered, body.subarray(0, -1), Buffer.concat([body, Buffer.from('\n')]), Buffer.alloc(0)]) {
        expect(verify({ request: { body: other } })).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
      }
    });
  } else {
    it('lets another body pass, which is the weakness of its provider and said in its description', () => {
      const body = Buffer.from(genuine.body.toString().replace('thing.happened', 'other.happened'));

      expect(body).not.toEqual(genuine.body);
      expect(verify({ request: { body } }).kind).toBe('verified');
    });
  }

  it.each<[string, Uint8Array]>([
    ['with letters beyond ASCII', Buffer.from('{"signature":{"token":"Zoë ☕"},"name":"Zoë ☕ 日本"}')],
    ['that is binary', Buffer.from('AP/+gHsiYSI6MX0K', 'base64')],
    ['with a byte order mark', Buffer.from('\ufeff{}')],
    ['that is empty', Buffer.alloc(0)],
  ])('takes a body %s as the bytes it is', (what, body) => {
    const needsJson = scheme.kind !== 'token' && JSON.stringify([scheme.timestamp, scheme.signed]).includes('"json"');
    if (needsJson && what !== 'with letters beyond ASCII') {
      const request = { headers, body };
      const verdict = verifySignature(scheme, { ...genuine, ...request }, [row.secret], NOW);

      expect(verdict.kind).toBe('rejected');
    } else {
      const request = prove(row, preset, body);

      expect(verify({ request })).toEqual({ kind: 'verified', secretIndex: 0 });
    }
  });

  it.each(Object.keys(headers))('refuses a delivery without %s', (name) => {
    const { [name]: _left, ...others } = headers;

    expect(verify({ request: { headers: others } }).kind).toBe('rejected');
    expect(verify({ request: { headers: { ...headers, [name]: '' } } }).kind).toBe('rejected');
  });

  it.each(Object.keys(headers))('refuses %s when it came twice', (name) => {
    for (const joint of [',', ', ']) {
      const doubled = { ...headers, [name]: `${headers[name]}${joint}${headers[name]}` };
      // A token may hold a comma, so two of them are just another token.
      const reason = scheme.kind === 'token' ? 'signature_mismatch' : 'repeated_header';

      expect(verify({ request: { headers: doubled } })).toEqual({ kind: 'rejected', reason });
    }
  });

  it('refuses a signature of another length', () => {
    for (const change of [
      (text: string) => text.slice(0, -1),
      (text: string) => text.slice(0, -2),
      (text: string) => `${text}0`,
    ]) {
      const request =
        scheme.header === undefined
          ? { body: withField(genuine.body, scheme.field, change) }
          : { headers: { ...headers, [scheme.header]: change(headers[scheme.header] ?? '') } };

      expect(verify({ request })).toMatchObject({
        reason: expect.stringMatching(/^(malformed_signature|signature_mismatch)$/),
      });
    }
  });

  const timestamp = scheme.kind === 'token' ? undefined : scheme.timestamp;
  if (timestamp !== undefined) {
    const { pastSeconds, futureSeconds } = timestamp;
    const tooOld = { kind: 'rejected', reason: 'timestamp_too_old' };
    const tooNew = { kind: 'rejected', reason: 'timestamp_too_new' };

    it('accepts an age up to its tolerance and no second more', () => {
      expect(verify({ atSeconds: pastSeconds ?? FAR_SECONDS }).kind).toBe('verified');
      expect(verify({ atSeconds: -(futureSeconds ?? FAR_SECONDS) }).kind).toBe('verified');
      if (pastSeconds !== undefined) expect(verify({ atSeconds: pastSeconds + 1 })).toEqual(tooOld);
      if (futureSeconds !== undefined) expect(verify({ atSeconds: -futureSeconds - 1 })).toEqual(tooNew);
    });

    it('takes the tolerance of the source instead, in both directions', () => {
      const toleranceSeconds = 17;

      expect(verify({ atSeconds: 17, toleranceSeconds }).kind).toBe('verified');
      expect(verify({ atSeconds: 18, toleranceSeconds })).toEqual(tooOld);
      expect(verify({ atSeconds: -17, toleranceSeconds }).kind).toBe('verified');
      expect(verify({ atSeconds: -18, toleranceSeconds })).toEqual(tooNew);
    });

    it('calls a stale delivery stale only when it is authentic', () => {
      expect(verify({ atSeconds: FAR_SECONDS, secrets: [row.otherSecret] })).toEqual({
        kind: 'rejected',
        reason: 'signature_mismatch',
      });
    });
  }

  if (scheme.kind !== 'token' && scheme.signed.includes('url')) {
    it('refuses the same for another URL or method', () => {
      const mismatch = { kind: 'rejected', reason: 'signature_mismatch' };

      expect(verify({ request: { url: `${URL}/` } })).toEqual(mismatch);
      if (scheme.signed.includes('method')) expect(verify({ request: { method: 'PUT' } })).toEqual(mismatch);
    });
  }

  it.each([...(row.payloads ?? [])])('accepts %s as it is on file', (file) => {
    const payload = readSignedPayload(file);

    const verdict = verifySignature(scheme, payload, [payload.secret], epochMs(payload.nowSeconds * 1000));

    expect(verdict).toEqual({ kind: 'verified', secretIndex: 0 });
  });

  if (scheme.kind !== 'token') {
    it('signs the body once, and a time or an id exactly where it reads one', () => {
      const count = (part: string) => scheme.signed.filter((signed) => signed === part).length;
      const isTimeInBody =
        scheme.field === undefined && typeof timestamp?.from === 'object' && 'json' in timestamp.from;

      expect(count('body')).toBe(scheme.field === undefined ? 1 : 0);
      expect(count('timestamp')).toBe(timestamp === undefined || isTimeInBody ? 0 : 1);
      expect(count('id')).toBe(scheme.idHeader === undefined ? 0 : 1);
    });
  }

  it('writes every header name in lower case', () => {
    const json = JSON.stringify(preset);
    const located = [...json.matchAll(/"(?:header|idHeader)":"([^"]+)"/g)].map(([, name]) => name ?? '');

    for (const name of [...located, ...preset.headers]) expect(name).toBe(name.toLowerCase());
  });

  it('never shows a handler the header that authenticates', () => {
    expect(preset.headers).not.toContain(scheme.header);
  });

  it('says where the type is, how long copies may come, and what success is', () => {
    expect(preset.type.length > 0 || preset.defaultType !== undefined).toBe(true);
    expect(preset.type.every((entry) => entry.length > 0)).toBe(true);
    expect(preset.retryHorizon).toBeGreaterThan(0);
    expect(preset.deadline ?? 1).toBeGreaterThan(0);
    expect(preset.name).toMatch(/^[a-z0-9-]+$/);
  });

  it('cannot be changed, at any depth', () => {
    const openParts = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && (!Object.isFrozen(value) || Object.values(value).some(openParts));

    expect(openParts(preset)).toBe(false);
  });

  it('refuses an option it does not know, by name', () => {
    expect(() => presetOf(row, { tolerence: 7 })).toThrow(/\(\) does not know the option "tolerence"/);
  });

  it('does not repeat the value of an unknown option, which may be a secret', () => {
    const wrongly = () => presetOf(row, { secret: 'whsec_do_not_print' });

    expect(wrongly).toThrow(/oncehook secret set/);
    expect(wrongly).not.toThrow(/do_not_print/);
  });

  it('judges a secret before it is stored', () => {
    expect(examineSecret(scheme.secret, row.secret)).toBe('usable');
    expect(examineSecret(scheme.secret, row.otherSecret)).toBe('usable');
    expect(examineSecret(scheme.secret, '')).toBe('empty');
  });

  const { secretOfBytes } = row;
  if (secretOfBytes !== undefined) {
    it('refuses to store a key shorter than its shortest, and verifies with one', () => {
      const { minKeyBytes } = scheme.secret;
      const short = secretOfBytes(minKeyBytes - 1);

      expect(examineSecret(scheme.secret, secretOfBytes(minKeyBytes))).toBe('usable');
      expect(examineSecret(scheme.secret, short)).toBe('too_short');
      expect(decodeSecret(scheme.secret, short)).toBeDefined();
      expect(verify({ request: prove(row, preset, BODY, short), secrets: [short] }).kind).toBe('verified');
    });
  } else {
    it.each([
      ['one byte too few', (key: string) => key.slice(0, -2)],
      ['another text', () => 'a text and no key at all'],
      ['a private key', () => 'MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g'],
    ])('has no public key in %s', (_what, change) => {
      expect(examineSecret(scheme.secret, change(row.secret))).toBe('undecodable');
    });
  }
});

function withField(body: Uint8Array, path: readonly string[] | undefined, change: (text: string) => string): Buffer {
  const parsed = JSON.parse(Buffer.from(body).toString());
  const [outer = '', inner = ''] = path ?? [];
  parsed[outer][inner] = change(parsed[outer][inner]);
  return Buffer.from(JSON.stringify(parsed));
}
