import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { SecretFormat } from '../../../lambda/providers/scheme.ts';
import { decodeSecret, examineSecret } from '../../../lambda/providers/secret-key.ts';

const TEXT: SecretFormat = { encoding: 'utf8', minKeyBytes: 14 };
const BASE64: SecretFormat = { encoding: 'base64', stripPrefix: 'whsec_', minKeyBytes: 24 };
const HEX: SecretFormat = { encoding: 'hex', minKeyBytes: 14 };

describe('a text secret', () => {
  it('is its UTF-8 bytes, every one of them', () => {
    expect(decodeSecret(TEXT, 'whsec_é ')).toEqual(Buffer.from('whsec_é ', 'utf8'));
  });

  it.each(['', ' ', '\n', '\u00a0'])('of %j is no key', (secret) => {
    expect(decodeSecret(TEXT, secret)).toBeUndefined();
    expect(examineSecret(TEXT, secret)).toBe('empty');
  });

  it('with half a surrogate pair is no key: its bytes would be those of other texts', () => {
    expect(decodeSecret(TEXT, 'a long secret \ud800')).toBeUndefined();
    expect(examineSecret(TEXT, 'a long secret \ud800')).toBe('undecodable');
  });

  it('is measured in bytes of the key', () => {
    expect(examineSecret(TEXT, 'é'.repeat(7))).toBe('usable');
    expect(examineSecret(TEXT, `${'é'.repeat(6)}x`)).toBe('too_short');
  });
});

describe('a base64 secret', () => {
  const key = Buffer.from(Array.from({ length: 24 }, (_, index) => 255 - index));

  it('is decoded with and without its prefix', () => {
    expect(decodeSecret(BASE64, `whsec_${key.toString('base64')}`)).toEqual(key);
    expect(decodeSecret(BASE64, key.toString('base64'))).toEqual(key);
  });

  it.each([
    ['its padding lost', 'AAA'],
    ['padding where none is due', 'AAAA===='],
    ['the URL alphabet', '-_-_'],
    ['a line end', 'AAAA\n'],
    ['a blank inside', 'AA AA'],
    ['the prefix twice', 'whsec_whsec_AAAA'],
    ['bits that no byte has', 'AAB='],
    ['text', 'not base64!'],
  ])('with %s is no key', (_what, secret) => {
    expect(decodeSecret(BASE64, secret)).toBeUndefined();
    expect(examineSecret(BASE64, secret)).toBe('undecodable');
  });

  it.each(['', 'whsec_', 'whsec_ '])('of %j is empty', (secret) => {
    expect(decodeSecret(BASE64, secret)).toBeUndefined();
    expect(examineSecret(BASE64, secret)).toBe('empty');
  });

  it('of any bytes is read as the Standard Webhooks SDK reads it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.boolean(), (bytes, prefixed) => {
        const secret = `${prefixed ? 'whsec_' : ''}${Buffer.from(bytes).toString('base64')}`;

        expect(decodeSecret(BASE64, secret)).toEqual(Buffer.from(bytes));
        expect(() => new Webhook(secret)).not.toThrow();
      }),
    );
  });

  it('of any text is a key only if the Standard Webhooks SDK takes it too', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/=_-]{1,12}$/), (secret) => {
        fc.pre(decodeSecret(BASE64, secret) !== undefined);

        expect(() => new Webhook(secret)).not.toThrow();
      }),
    );
  });
});

describe('a hex secret', () => {
  it('is decoded in either case', () => {
    expect(decodeSecret(HEX, '00fFa0')).toEqual(Buffer.from([0, 255, 160]));
  });

  it.each(['0', '0g', '00 ff', '0x00', 'zz'])('of %j is no key', (secret) => {
    expect(decodeSecret(HEX, secret)).toBeUndefined();
  });
});
