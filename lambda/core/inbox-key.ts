import { createHash } from 'node:crypto';

/**
 * Longest event id kept as it is, in UTF-8 bytes. Long enough for every known provider, short
 * enough that a finished row stays under 1 KB, one write unit.
 */
export const MAX_EVENT_ID_BYTES = 256;

const RESERVED = /^(body_|sha256_)/;

/** A byte that no UTF-8 text has. */
const NOT_UTF8 = Buffer.of(0xff);

/**
 * The name under which an event is remembered: the provider's id, or `sha256_` and the hash of
 * it for an id that is too long or looks like one of our own names. No two ids share a name.
 */
export function inboxEventId(providerId: string): string {
  // A lone surrogate has no UTF-8 form: all of them would be stored as one replacement character. Its
  // escaped form could be the text of another id, so the hash is of bytes that no other id has.
  if (!providerId.isWellFormed()) {
    return `sha256_${sha256Hex(Buffer.concat([NOT_UTF8, Buffer.from(JSON.stringify(providerId))]))}`;
  }
  if (Buffer.byteLength(providerId) > MAX_EVENT_ID_BYTES || RESERVED.test(providerId))
    return `sha256_${sha256Hex(providerId)}`;
  return providerId;
}

/** The name of an event without an id: of the bytes as they were signed, so that nothing is rounded into one. */
export const bodyEventId = (bodyHash: string, index?: number): string =>
  index === undefined ? `body_${bodyHash}` : `body_${bodyHash}_${index}`;

/** `<source>#<event id>`. A source has no `#`, so the key has one reading. */
export const inboxKey = (source: string, eventId: string): string => `${source}#${eventId}`;

/** `<inbox key>#<n>`, n counting from 1; the same on every attempt, so consumers can deduplicate. */
export const outboxId = (key: string, n: number): string => `${key}#${n}`;

/** `<source>#<resource id>`. */
export const sequenceKey = (source: string, resource: string): string => `${source}#${resource}`;

export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
