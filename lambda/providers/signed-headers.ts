import type { RejectionReason, Scheme } from './scheme.ts';
import { readSignatureHeader } from './signature-header.ts';
import { parseTimestamp } from './signed-timestamp.ts';

/**
 * Characters of one header that takes part in verification. API Gateway lets all header
 * values of a request together have 10,240 bytes; a signature header of three
 * rotating secrets has about 300.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const MAX_HEADER_LENGTH = 8192;

/** What the headers claim, well-formed but not yet authentic. */
export type SignedHeaders =
  | {
      readonly kind: 'read';
      readonly signatures: readonly string[];
      /** The text is what was signed; the value is in the scheme's unit. */
      readonly timestamp: { readonly text: string; readonly value: number } | undefined;
      readonly id: string | undefined;
    }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

/** Reads every header that the scheme needs; cheap, and the only place that looks at their shape. */
export function readSignedHeaders(scheme: Scheme, headers: Readonly<Record<string, string>>): SignedHeaders {
  const header = headers[scheme.header];
  if (!hasText(header)) return rejected('missing_header');
  if (header.length > MAX_HEADER_LENGTH) return rejected('header_too_long');
  const signature = readSignatureHeader(scheme.format, scheme.lenient === true ? header.trim() : header);
  if (signature.kind === 'rejected') return signature;

  const timestamp = readTimestamp(scheme, headers, signature.timestamp);
  if (timestamp.kind === 'rejected') return timestamp;

  const id = readId(scheme, headers);
  if (id.kind === 'rejected') return id;

  return { kind: 'read', signatures: signature.signatures, timestamp: timestamp.value, id: id.value };
}

type Reading<T> =
  | { readonly kind: 'read'; readonly value: T | undefined }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

function readTimestamp(
  scheme: Scheme,
  headers: Readonly<Record<string, string>>,
  inSignature: string | undefined,
): Reading<{ readonly text: string; readonly value: number }> {
  if (scheme.timestamp === undefined) return NOT_SIGNED;
  const { from } = scheme.timestamp;
  const text = from === 'signature' ? inSignature : headers[from.header];

  if (text === undefined) return rejected('missing_timestamp');
  if (text.includes(',')) return rejected('repeated_header');
  const value = parseTimestamp(text);
  return value === undefined ? rejected('bad_timestamp') : { kind: 'read', value: { text, value } };
}

function readId(scheme: Scheme, headers: Readonly<Record<string, string>>): Reading<string> {
  if (scheme.idHeader === undefined) return NOT_SIGNED;
  const id = headers[scheme.idHeader];

  if (!hasText(id)) return rejected('missing_id');
  if (id.length > MAX_HEADER_LENGTH) return rejected('header_too_long');
  if (id.includes(',')) return rejected('repeated_header');
  const next = scheme.signed[scheme.signed.indexOf('id') + 1];
  const isAmbiguous = typeof next === 'object' && id.includes(next.text);
  return isAmbiguous ? rejected('bad_id') : { kind: 'read', value: id };
}

const NOT_SIGNED = { kind: 'read', value: undefined } as const;

const rejected = (reason: RejectionReason) => ({ kind: 'rejected', reason }) as const;

const hasText = (value: string | undefined): value is string => value !== undefined && value.trim() !== '';
