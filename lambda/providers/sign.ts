import { assertNever } from '../core/assert-never.ts';
import { OncehookError } from '../core/errors.ts';
import type { EpochSeconds } from '../core/time.ts';
import { computeSignature } from './digest.ts';
import type { Scheme, SignatureFormat } from './scheme.ts';
import { decodeSecret } from './secret-key.ts';

/** What a provider signs when it sends. */
export interface UnsignedDelivery {
  /** The message id; goes into a header only where the scheme signs it. */
  readonly id: string;
  readonly timestamp: EpochSeconds;
  /** The bytes that {@link Scheme.signs} names. */
  readonly body: Uint8Array;
}

/**
 * The headers that prove a delivery, as its provider would send them: for the sender and for
 * tests. The receiver never signs, so nothing that verifies imports this.
 *
 * @returns lower-case names; only what the scheme checks, no content type and no event name.
 * @throws OncehookError `CONFIG_INVALID` for a secret that is empty or cannot be decoded.
 */
export function signDelivery(scheme: Scheme, secret: string, delivery: UnsignedDelivery): Record<string, string> {
  const key = decodeSecret(scheme.secret, secret);
  if (key === undefined) {
    const message = `the secret is empty or not ${scheme.secret.encoding}`;
    throw new OncehookError('CONFIG_INVALID', message, { retryable: false });
  }
  const timestamp = String(scheme.timestamp?.unit === 'ms' ? delivery.timestamp * 1000 : delivery.timestamp);
  const signature = computeSignature(scheme, key, { id: delivery.id, timestamp, body: delivery.body });

  const headers: Record<string, string> = { [scheme.header]: writeSignature(scheme.format, signature, timestamp) };
  if (scheme.idHeader !== undefined) headers[scheme.idHeader] = delivery.id;
  const from = scheme.timestamp?.from;
  if (typeof from === 'object') headers[from.header] = timestamp;
  return headers;
}

function writeSignature(format: SignatureFormat, signature: string, timestamp: string): string {
  switch (format.kind) {
    case 'bare':
      return signature;
    case 'prefixed':
      return `${format.prefix}${signature}`;
    case 'pairs':
      return `${format.timestampKey}=${timestamp}${format.separator}${format.signatureKey}=${signature}`;
    case 'versioned-list':
      return `${format.version},${signature}`;
    default:
      return assertNever(format);
  }
}
