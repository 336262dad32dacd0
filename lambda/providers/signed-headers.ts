import { rejected } from './match-secrets.ts';
import type { RejectionReason, SignatureScheme, SignedTimestamp } from './scheme.ts';
import { readSignatureHeader, type SignatureHeader } from './signature-header.ts';
import { readSignedBody } from './signed-body.ts';
import { parseTimestamp } from './signed-timestamp.ts';

/**
 * Characters of one header that takes part in verification. API Gateway lets all header
 * values of a request together have 10,240 bytes; a signature header of three
 * rotating secrets has about 300.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const MAX_HEADER_LENGTH = 8192;

/** The text is what was signed; the value is in the scheme's unit. */
export interface ReadTimestamp {
  readonly text: string;
  readonly value: number;
}

/** What a delivery claims, well-formed but not yet authentic. */
export type SignedHeaders =
  | {
      readonly kind: 'read';
      readonly signatures: readonly string[];
      readonly timestamp: ReadTimestamp | undefined;
      readonly id: string | undefined;
      /** Only where the signature itself is in the body. */
      readonly fieldAt: FieldReader | undefined;
    }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

type FieldReader = (path: readonly string[]) => string | undefined;
type Headers = Readonly<Record<string, string>>;

/**
 * Reads everything that the scheme needs before it can compare; cheap, and the only place that looks at
 * its shape. The body is parsed only where the signature is in it.
 */
export function readSignedHeaders(scheme: SignatureScheme, headers: Headers, body: Uint8Array): SignedHeaders {
  const fieldAt = scheme.field === undefined ? undefined : readSignedBody(body);
  if (scheme.field !== undefined && fieldAt === undefined) return rejected('unreadable_body');

  const place = scheme.field === undefined ? headers[scheme.header] : fieldAt?.(scheme.field);
  if (!hasText(place)) return rejected('missing_header');
  if (place.length > MAX_HEADER_LENGTH) return rejected('header_too_long');
  const signature: SignatureHeader = readSignatureHeader(scheme.format, scheme.lenient === true ? place.trim() : place);
  if (signature.kind === 'rejected') return signature;

  const timestamp = readTimestamp(scheme.timestamp, headers, signature.timestamp, fieldAt);
  if (timestamp.kind === 'rejected') return timestamp;

  const id = readId(scheme, headers);
  if (id.kind === 'rejected') return id;

  const isComplete = scheme.signed.every((part) => typeof part !== 'object' || 'text' in part || fieldAt?.(part.json));
  if (!isComplete) return rejected('missing_field');
  return { kind: 'read', signatures: signature.signatures, timestamp: timestamp.value, id: id.value, fieldAt };
}

type Reading<T> =
  | { readonly kind: 'read'; readonly value: T | undefined }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

/** @param fieldAt Absent where the body is not to be read yet; a timestamp in it is then read after the match. */
export function readTimestamp(
  timestamp: SignedTimestamp | undefined,
  headers: Headers,
  inSignature: string | undefined,
  fieldAt: FieldReader | undefined,
): Reading<ReadTimestamp> {
  if (timestamp === undefined) return NOT_SIGNED;
  const { from, unit } = timestamp;
  if (typeof from === 'object' && 'json' in from && fieldAt === undefined) return NOT_SIGNED;
  const text = from === 'signature' ? inSignature : 'header' in from ? headers[from.header] : fieldAt?.(from.json);

  if (text === undefined) return rejected('missing_timestamp');
  if (text.includes(',')) return rejected('repeated_header');
  const value = parseTimestamp(unit, text);
  return value === undefined ? rejected('bad_timestamp') : { kind: 'read', value: { text, value } };
}

function readId(scheme: SignatureScheme, headers: Headers): Reading<string> {
  if (scheme.idHeader === undefined) return NOT_SIGNED;
  const id = headers[scheme.idHeader];

  if (!hasText(id)) return rejected('missing_id');
  if (id.length > MAX_HEADER_LENGTH) return rejected('header_too_long');
  if (id.includes(',')) return rejected('repeated_header');
  const next = scheme.signed[scheme.signed.indexOf('id') + 1];
  const isAmbiguous = typeof next === 'object' && 'text' in next && id.includes(next.text);
  return isAmbiguous ? rejected('bad_id') : { kind: 'read', value: id };
}

const NOT_SIGNED = { kind: 'read', value: undefined } as const;

const hasText = (value: string | undefined): value is string => value !== undefined && value.trim() !== '';
