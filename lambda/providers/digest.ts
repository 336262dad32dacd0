import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { assertNever } from '../core/assert-never.ts';
import type { HmacScheme, SecretHashScheme, SignatureScheme, SignedPart } from './scheme.ts';

/** What one delivery puts into the signed bytes. */
export interface SignedValues {
  /** As in the header. */
  readonly id: string | undefined;
  /** As in the header; never a number that was formatted again. */
  readonly timestamp: string | undefined;
  /** Fed to the hash as it is: neither decoded nor copied. */
  readonly body: Uint8Array;
  readonly method?: string | undefined;
  /** As configured at the provider. */
  readonly url?: string | undefined;
  /** The text at a path of the body, for schemes that sign single fields. */
  readonly fieldAt?: ((path: readonly string[]) => string | undefined) | undefined;
}

/** A scheme whose signature anybody computes who has the secret. */
export type DigestScheme = HmacScheme | SecretHashScheme;

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/**
 * The signature of one delivery in the scheme's encoding, without prefix or version.
 *
 * @throws RangeError when the scheme signs an id, a timestamp, a URL or a field and there is none.
 */
export function computeSignature(scheme: DigestScheme, key: Uint8Array, values: SignedValues): string {
  const digest = beginDigest(scheme, key);
  for (const bytes of signedBytes(scheme, values)) digest.update(bytes);
  return digest.digest(scheme.encoding);
}

/**
 * What is signed of a delivery, in pieces. Text goes into the signed bytes as UTF-8.
 *
 * @throws RangeError when the scheme signs an id, a timestamp, a URL or a field and there is none.
 */
export const signedBytes = ({ signed }: SignatureScheme, values: SignedValues): readonly (string | Uint8Array)[] =>
  signed.map((part) => bytesOf(part, values));

/** Characters of every signature of this scheme. */
export function signatureLength(scheme: DigestScheme): number {
  const bytes = DIGEST_BYTES[scheme.hash];
  return scheme.encoding === 'hex' ? bytes * 2 : Math.ceil(bytes / 3) * 4;
}

function beginDigest(scheme: DigestScheme, key: Uint8Array): Hmac | Hash {
  switch (scheme.kind) {
    case 'hmac':
      return createHmac(scheme.hash, key);
    case 'secret-hash':
      return createHash(scheme.hash).update(key);
    default:
      return assertNever(scheme);
  }
}

function bytesOf(part: SignedPart, values: SignedValues): string | Uint8Array {
  if (typeof part === 'object' && 'text' in part) return part.text;
  const value = typeof part === 'object' ? values.fieldAt?.(part.json) : values[part];
  if (value !== undefined) return value;
  const name = typeof part === 'object' ? `field ${part.json.join('.')}` : part;
  throw new RangeError(`this scheme signs the ${name}, and there is none`);
}
