import type { DocumentAnswer, DocumentRequest } from '../core/document-ports.ts';
import type { EpochMs } from '../core/time.ts';
import type { SecretFormat, Verification } from './scheme.ts';

/** What a request is verified by. */
export interface CodeRequest {
  /** Upper case. */
  readonly method: string;
  /** The source's `publicUrl`, with the query as it was sent: some senders add to it. Empty where the source has none. */
  readonly url: string;
  /** Lower-case names; repeated headers joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Everything that a verdict depends on. */
export interface CodeInput {
  readonly request: CodeRequest;
  /** As configured, in order of preference. */
  readonly secrets: readonly string[];
  readonly now: EpochMs;
  /** Replaces the scheme's own limits of a signed time, in seconds. */
  readonly toleranceSeconds: number | undefined;
  /** What was read of a document so far; `undefined` before it was asked for. */
  readonly documentOf: (request: DocumentRequest) => DocumentAnswer | undefined;
}

export type CodeVerification =
  | Verification
  /** No verdict without this document: read it and ask again. Only after every check that needs none. */
  | { readonly kind: 'document-needed'; readonly document: DocumentRequest };

/**
 * A scheme that no data says, as a pure function: it reads nothing, waits for nothing and throws for
 * nothing that a sender can send.
 */
export interface CodeScheme {
  readonly kind: 'code';
  /** Lower-case names of the headers without which nothing is genuine; a request that lacks one costs no secret read. */
  readonly requires: readonly string[];
  /** Whether the provider proves itself with a private key, so that nobody else can sign. */
  readonly privateKey?: boolean;
  /** Whether the public URL is signed, so that the source has to name it. */
  readonly signsUrl?: boolean;
  /** What of a compressed body is signed. @default 'wire' */
  readonly signs?: 'wire' | 'inflated';
  readonly secret: SecretFormat;
  verify(input: CodeInput): CodeVerification;
}
