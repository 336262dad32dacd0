import { assertNever } from '../core/assert-never.ts';
import type { RejectionReason, SignatureFormat } from './scheme.ts';

/**
 * The most signatures one header may hold. Senders sign once per active secret, so
 * two during a rotation; 32 leaves room for any of them. More are refused as a whole: trying
 * only the first few would let the order decide.
 */
export const MAX_SIGNATURES = 32;

/** What the signature header says, before any of it is believed. */
export type SignatureHeader =
  | { readonly kind: 'read'; readonly signatures: readonly string[]; readonly timestamp: string | undefined }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

/**
 * Takes the signatures out of the header's value. The value is read as one text: API Gateway
 * joins repeated headers with commas, and some schemes use commas themselves, so each
 * format knows by itself what a second copy of the header would look like, and refuses it.
 */
export function readSignatureHeader(format: SignatureFormat, value: string): SignatureHeader {
  switch (format.kind) {
    case 'bare':
      return value.includes(',') ? REPEATED : read([value], undefined);
    case 'prefixed':
      if (value.includes(',')) return REPEATED;
      return read(value.startsWith(format.prefix) ? [value.slice(format.prefix.length)] : [], undefined);
    case 'pairs':
      return readPairs(format, value);
    case 'versioned-list':
      return readVersionedList(format.version, value);
    default:
      return assertNever(format);
  }
}

const REPEATED = { kind: 'rejected', reason: 'repeated_header' } as const;

function read(signatures: readonly string[], timestamp: string | undefined): SignatureHeader {
  if (signatures.length === 0) return { kind: 'rejected', reason: 'no_signature_for_version' };
  if (signatures.length > MAX_SIGNATURES) return { kind: 'rejected', reason: 'too_many_signatures' };
  return { kind: 'read', signatures, timestamp };
}

function readPairs(format: Extract<SignatureFormat, { kind: 'pairs' }>, value: string): SignatureHeader {
  if (format.separator !== ',' && value.includes(',')) return REPEATED;
  const pairs = value.split(format.separator).map(splitAt('='));
  const valuesOf = (key: string) => pairs.filter((pair) => pair.key === key).map((pair) => pair.value);

  // A second copy of the header brings a second timestamp, even an equal one; some gateways
  // join with a comma and a space.
  const timestamps = pairs.filter((pair) => pair.key.trim() === format.timestampKey);
  if (timestamps.length > 1) return REPEATED;
  return read(valuesOf(format.signatureKey), valuesOf(format.timestampKey)[0]);
}

function readVersionedList(version: string, value: string): SignatureHeader {
  const entries = value.split(' ').map(splitAt(','));
  // Within a list every entry has one comma; where two lists were joined, one entry has two.
  if (entries.some((entry) => entry.value.includes(','))) return REPEATED;
  return read(
    entries.filter((entry) => entry.key === version).map((entry) => entry.value),
    undefined,
  );
}

/** Splits at the first separator; a text without one has a key that no scheme uses. */
const splitAt = (separator: string) => (text: string) => {
  const at = text.indexOf(separator);
  return at < 0 ? { key: '', value: '' } : { key: text.slice(0, at), value: text.slice(at + 1) };
};
