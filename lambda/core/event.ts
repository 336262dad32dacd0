import type { EpochMs } from './time.ts';

/** One HTTP request from a provider, parsed from API Gateway's event and nothing more. */
export interface InboundRequest {
  /** Upper case. */
  readonly method: string;
  /** The last part of the path, not yet known to be a configured source. */
  readonly source: string;
  /** What follows the question mark, as it was sent: neither decoded nor put into order. */
  readonly query: string;
  /** Lower-case names; repeated headers joined with commas, as API Gateway joins them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes on the wire after API Gateway's base64, before any inflating. */
  readonly body: Uint8Array;
  readonly receivedAt: EpochMs;
}

/** One event of a verified delivery: what is applied once. */
export interface InboundEvent {
  readonly source: string;
  /** The provider's id in the bounded form of {@link inboxEventId}; what every answer and row calls it. */
  readonly eventId: string;
  /** `<source>#<eventId>`, the inbox key. */
  readonly key: string;
  /** Most specific first, for example `issues.opened`, `issues`; never empty. */
  readonly types: readonly [string, ...string[]];
  readonly body: unknown;
  readonly rawBody: Uint8Array;
  /** SHA-256 hex of the delivery's raw bytes. */
  readonly bodyHash: string;
  /** `Content-Encoding` of the raw bytes. */
  readonly contentEncoding: string | undefined;
  /** Place in its delivery, from 0; absent when the delivery is the event. */
  readonly itemIndex: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly receivedAt: EpochMs;
  /** When the provider says it happened, where it says so. */
  readonly occurredAt: EpochMs | undefined;
}
