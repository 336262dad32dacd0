import { createPublicKey, type KeyObject } from 'node:crypto';
import { assertNever } from '../core/assert-never.ts';
import type { PublicKeyKind } from './scheme.ts';

/**
 * Reads a sender's public key.
 *
 * @param bytes 32 bytes for Ed25519; an SPKI in DER for ECDSA.
 * @returns `undefined` for anything else, a key of another kind or curve included.
 */
export function readPublicKey(kind: PublicKeyKind, bytes: Uint8Array): KeyObject | undefined {
  switch (kind) {
    case 'ed25519':
      if (bytes.byteLength !== ED25519_KEY_BYTES) return undefined;
      return readSpki(Buffer.concat([ED25519_SPKI_START, bytes]), (key) => key.asymmetricKeyType === 'ed25519');
    case 'ecdsa-p256':
      return readSpki(bytes, (key) => key.asymmetricKeyDetails?.namedCurve === 'prime256v1');
    default:
      return assertNever(kind);
  }
}

const ED25519_KEY_BYTES = 32;

/** @see https://www.rfc-editor.org/rfc/rfc8410#section-4 */
const ED25519_SPKI_START = Buffer.from('302a300506032b6570032100', 'hex');

function readSpki(der: Uint8Array, isRightKind: (key: KeyObject) => boolean): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
    return isRightKind(key) ? key : undefined;
  } catch {
    return undefined;
  }
}
