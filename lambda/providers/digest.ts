import { createHmac } from 'node:crypto';
import type { Scheme, SignedPart } from './scheme.ts';

/** What one delivery puts into the signed bytes. */
export interface SignedValues {
  /** As in the header. */
  readonly id: string | undefined;
  /** As in the header; never a number that was formatted again. */
  readonly timestamp: string | undefined;
  /** Fed to the HMAC as it is: neither decoded nor copied. */
  readonly body: Uint8Array;
}

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/**
 * The signature of one delivery in the scheme's encoding, without prefix or version.
 *
 * @throws RangeError when the scheme signs an id or a timestamp and there is none.
 */
export function computeSignature(scheme: Scheme, key: Uint8Array, values: SignedValues): string {
  const hmac = createHmac(scheme.hash, key);
  for (const part of scheme.signed) hmac.update(bytesOf(part, values));
  return hmac.digest(scheme.encoding);
}

/** Characters of every signature of this scheme. */
export function signatureLength(scheme: Scheme): number {
  const bytes = DIGEST_BYTES[scheme.hash];
  return scheme.encoding === 'hex' ? bytes * 2 : Math.ceil(bytes / 3) * 4;
}

/** Text goes into the signed bytes as UTF-8. */
function bytesOf(part: SignedPart, values: SignedValues): string | Uint8Array {
  if (typeof part === 'object') return part.text;
  const value = values[part];
  if (value === undefined) throw new RangeError(`this scheme signs the ${part}, and there is none`);
  return value;
}
