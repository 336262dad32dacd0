import { assertNever } from '../core/assert-never.ts';
import { OncehookError } from '../core/errors.ts';
import type { EpochSeconds } from '../core/time.ts';
import { computeSignature, type DigestScheme } from './digest.ts';
import type { Scheme, SignatureFormat, SignedTimestamp } from './scheme.ts';
import { decodeSecret } from './secret-key.ts';
import { readSignedBody } from './signed-body.ts';

/** What a provider signs when it sends. */
export interface UnsignedDelivery {
  /** The message id; goes into a header only where the scheme signs it. */
  readonly id: string;
  readonly timestamp: EpochSeconds;
  /** The bytes that {@link Scheme.signs} names. */
  readonly body: Uint8Array;
  /** @default 'POST' */
  readonly method?: string;
  /** For schemes that sign it. */
  readonly url?: string | undefined;
}

/** Why nobody but the provider can sign for this scheme; `undefined` where the secret is enough. */
export const whyUnsignable = (scheme: Scheme): string | undefined =>
  scheme.kind === 'public-key'
    ? 'the provider signs with a private key that only it has; the secret here is its public key'
    : undefined;

/**
 * The headers that prove a delivery, as its provider would send them: for the sender and for
 * tests. The receiver never signs, so nothing that verifies imports this. Where the proof is in the
 * body, {@link signBody} has to put it there, and no header is needed.
 *
 * @returns lower-case names; only what the scheme checks, no content type and no event name.
 * @throws OncehookError `CONFIG_INVALID` for a secret that is empty or cannot be decoded, and for a
 * scheme for which nobody can sign who has the secret, see {@link whyUnsignable}.
 */
export function signDelivery(scheme: Scheme, secret: string, delivery: UnsignedDelivery): Record<string, string> {
  const key = keyOf(scheme, secret);
  if (scheme.kind === 'token') return { [scheme.header]: secret };
  refuseUnsignable(scheme);
  if (scheme.header === undefined) return {};

  const timestamp = writeTimestamp(scheme.timestamp, delivery.timestamp);
  const signature = computeSignature(scheme, key, { ...delivery, method: delivery.method ?? 'POST', timestamp });
  const headers: Record<string, string> = { [scheme.header]: writeSignature(scheme.format, signature, timestamp) };
  if (scheme.idHeader !== undefined) headers[scheme.idHeader] = delivery.id;
  const from = scheme.timestamp?.from;
  if (typeof from === 'object' && 'header' in from) headers[from.header] = timestamp;
  return headers;
}

/** A value that goes into a body before it is sent. */
export interface BodyStamp {
  readonly path: readonly string[];
  readonly value: string | number;
}

/**
 * What a scheme wants inside the body: the time of sending, and the signature where it is not in a
 * header. Empty for most.
 *
 * @throws OncehookError as {@link signDelivery} does.
 */
export function signBody(scheme: Scheme, secret: string, delivery: UnsignedDelivery): readonly BodyStamp[] {
  const key = keyOf(scheme, secret);
  if (scheme.kind === 'token') return [];
  refuseUnsignable(scheme);

  const timestamp = writeTimestamp(scheme.timestamp, delivery.timestamp);
  const from = scheme.timestamp?.from;
  // Text beside a signature that is text itself, as Mailgun writes both; a number where it stands alone.
  const time = scheme.field === undefined ? Number(timestamp) : timestamp;
  const stamps = typeof from === 'object' && 'json' in from ? [{ path: from.json, value: time }] : [];
  if (scheme.field === undefined) return stamps;
  const fieldAt = readSignedBody(delivery.body);
  const values = {
    ...delivery,
    method: delivery.method ?? 'POST',
    timestamp,
    ...(fieldAt === undefined ? {} : { fieldAt }),
  };
  return [
    ...stamps,
    { path: scheme.field, value: writeSignature(scheme.format, computeSignature(scheme, key, values), timestamp) },
  ];
}

function keyOf(scheme: Scheme, secret: string): Uint8Array {
  const key = decodeSecret(scheme.secret, secret);
  if (key !== undefined) return key;
  throw new OncehookError('CONFIG_INVALID', `the secret is empty or not ${scheme.secret.encoding}`, {
    retryable: false,
  });
}

function refuseUnsignable(scheme: Scheme): asserts scheme is DigestScheme {
  const why = whyUnsignable(scheme);
  if (why !== undefined) throw new OncehookError('CONFIG_INVALID', why, { retryable: false });
}

function writeTimestamp(timestamp: SignedTimestamp | undefined, at: EpochSeconds): string {
  switch (timestamp?.unit) {
    case 'iso8601':
      return new Date(at * 1000).toISOString();
    case 'ms':
      return String(at * 1000);
    default:
      return String(at);
  }
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
