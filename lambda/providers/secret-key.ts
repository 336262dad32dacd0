import { assertNever } from '../core/assert-never.ts';
import { readPublicKey } from './public-key.ts';
import type { SecretFormat } from './scheme.ts';

/** What is wrong with a secret, or `usable`. Safe to print: it says nothing of the secret. */
export type SecretVerdict = 'usable' | 'empty' | 'undecodable' | 'too_short';

/**
 * Turns a configured secret into key bytes, strictly: base64 must be the canonical standard
 * alphabet with its padding, hex an even number of digits, text well-formed Unicode.
 * A lenient decoder would drop what it does not know, and two different secrets, or
 * a secret and a typing slip, would become one key.
 *
 * A public key must be one of the kind that the format asks for.
 *
 * The length of the key is not judged here, see {@link examineSecret}.
 *
 * @returns `undefined` for an empty, blank or undecodable secret, which must never verify anything.
 */
export function decodeSecret(format: SecretFormat, secret: string): Uint8Array | undefined {
  const text = withoutPrefix(format, secret);
  if (text.trim() === '') return undefined;
  const key = decodeText(encodingOf(format, secret), text);
  const isNoPublicKey = key !== undefined && format.publicKey !== undefined && !readPublicKey(format.publicKey, key);
  return isNoPublicKey ? undefined : key;
}

/** Judges a secret before it is stored; unlike verification it also asks for the format's shortest key. */
export function examineSecret(format: SecretFormat, secret: string): SecretVerdict {
  if (withoutPrefix(format, secret).trim() === '') return 'empty';
  const key = decodeSecret(format, secret);
  if (key === undefined) return 'undecodable';
  return key.byteLength < format.minKeyBytes ? 'too_short' : 'usable';
}

const withoutPrefix = ({ stripPrefix }: SecretFormat, secret: string): string =>
  stripPrefix !== undefined && secret.startsWith(stripPrefix) ? secret.slice(stripPrefix.length) : secret;

const encodingOf = ({ encoding, stripPrefix, unprefixed }: SecretFormat, secret: string): SecretFormat['encoding'] =>
  stripPrefix !== undefined && secret.startsWith(stripPrefix) ? encoding : (unprefixed ?? encoding);

function decodeText(encoding: SecretFormat['encoding'], text: string): Uint8Array | undefined {
  switch (encoding) {
    case 'utf8':
      return text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined;
    case 'base64':
      return decodeExactly(text, 'base64');
    case 'hex':
      return decodeExactly(text.toLowerCase(), 'hex');
    default:
      return assertNever(encoding);
  }
}

/** Node's decoders skip what they cannot read, so only a text that comes back unchanged was decoded whole. */
export function decodeExactly(text: string, encoding: 'base64' | 'hex'): Uint8Array | undefined {
  const key = Buffer.from(text, encoding);
  return key.toString(encoding) === text ? key : undefined;
}
