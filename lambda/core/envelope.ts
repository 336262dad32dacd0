/**
 * Envelope: an event as a message of the events queue and of its dead-letter queue.
 *
 * It carries what was verified and identified, so that nobody verifies or identifies again, and the
 * delivery's raw bytes unchanged. It has a version: messages outlive a deploy by up to fourteen days, and every
 * version that was ever sent stays readable.
 */
import type { InboundEvent } from './event.ts';
import { inboxKey, sha256Hex } from './inbox-key.ts';
import type { FailureSummary, ParkReason } from './outcome.ts';
import type { EpochMs } from './time.ts';

/** Where the delivery's bytes are when they are not in the message. */
export interface StoredBody {
  readonly bucket: string;
  readonly key: string;
}

export type EnvelopeBody =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'stored' } & StoredBody);

export const isStored = (body: EnvelopeBody): body is Extract<EnvelopeBody, { readonly kind: 'stored' }> =>
  body.kind === 'stored';

/** One queued event. */
export interface Envelope
  extends Pick<
    InboundEvent,
    'source' | 'eventId' | 'types' | 'receivedAt' | 'occurredAt' | 'contentEncoding' | 'itemIndex' | 'headers'
  > {
  readonly body: EnvelopeBody;
  /** Not to be worked on before; longer waits than SQS keeps. */
  readonly notBefore: EpochMs | undefined;
  /** When its handler first asked for a later attempt. */
  readonly postponedSince: EpochMs | undefined;
  /** Somebody decided that its age does not matter. */
  readonly force: boolean;
  /** In the dead-letter queue: why it is there. */
  readonly parked: { readonly reason: ParkReason; readonly lastError: FailureSummary | undefined } | undefined;
}

export const toEnvelope = (
  event: InboundEvent,
  wait: Partial<Pick<Envelope, 'notBefore' | 'postponedSince'>> = {},
): Envelope => ({
  source: event.source,
  eventId: event.eventId,
  types: event.types,
  receivedAt: event.receivedAt,
  occurredAt: event.occurredAt,
  contentEncoding: event.contentEncoding,
  itemIndex: event.itemIndex,
  headers: event.headers,
  body: { kind: 'inline', bytes: event.rawBody },
  notBefore: undefined,
  postponedSince: undefined,
  force: false,
  parked: undefined,
  ...wait,
});

/** The event that was put into the envelope. @param body The event's own part of the parsed bytes. */
export const fromEnvelope = (envelope: Envelope, rawBody: Uint8Array, body: unknown): InboundEvent => ({
  source: envelope.source,
  eventId: envelope.eventId,
  key: inboxKey(envelope.source, envelope.eventId),
  types: envelope.types,
  body,
  rawBody,
  bodyHash: sha256Hex(rawBody),
  contentEncoding: envelope.contentEncoding,
  itemIndex: envelope.itemIndex,
  headers: envelope.headers,
  receivedAt: envelope.receivedAt,
  occurredAt: envelope.occurredAt,
});
