import { verify } from 'node:crypto';
import { type SignedValues, signedBytes } from './digest.ts';
import { readPublicKey } from './public-key.ts';
import type { PublicKeyKind, PublicKeyScheme } from './scheme.ts';
import { decodeExactly } from './secret-key.ts';

/** Whether it is bytes at all in the scheme's encoding, and for Ed25519 64 of them. DER has no one length. */
export function isPublicKeySignature({ encoding, secret }: PublicKeyScheme, signature: string): boolean {
  const bytes = decodeExactly(signature, encoding);
  return bytes !== undefined && (secret.publicKey !== 'ed25519' || bytes.byteLength === ED25519_SIGNATURE_BYTES);
}

/** @see https://www.rfc-editor.org/rfc/rfc8032#section-5.1.6 */
const ED25519_SIGNATURE_BYTES = 64;

/** Whether one of the signatures is the sender's. Nothing here is secret, so the time it takes may tell which. */
export function verifiesAny(
  scheme: PublicKeyScheme,
  keyBytes: Uint8Array,
  values: SignedValues,
  candidates: readonly string[],
): boolean {
  const key = readPublicKey(scheme.secret.publicKey, keyBytes);
  if (key === undefined) return false;
  const message = Buffer.concat(signedBytes(scheme, values).map((bytes) => Buffer.from(bytes)));
  return candidates.some((candidate) =>
    verify(HASHES[scheme.secret.publicKey], message, key, Buffer.from(candidate, scheme.encoding)),
  );
}

/** Ed25519 has its hash built in. */
const HASHES = { ed25519: undefined, 'ecdsa-p256': 'sha256' } as const satisfies Record<
  PublicKeyKind,
  string | undefined
>;
