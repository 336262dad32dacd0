import { type Envelope, isStored } from '../../core/envelope.ts';
import { encodeEnvelope } from '../../core/envelope-codec.ts';
import type { BodyStore } from '../../core/event-ports.ts';
import { sha256Hex } from '../../core/inbox-key.ts';
import { MAX_MESSAGE_BYTES, toMessageBody } from './message-body.ts';

/**
 * Left free in every message: who postpones, forces or parks the event writes more into it, and must not have to store
 * its body for that. An error's name and message have 300 characters each, of at most 6 bytes.
 */
const ROOM_FOR_LATER_FIELDS = 5 * 1024;

/** Longest message with a body in it, without what is written later. */
export const MAX_INLINE_MESSAGE_BYTES = MAX_MESSAGE_BYTES - ROOM_FOR_LATER_FIELDS;

/**
 * An event as a message. A body for which the message has no room goes into the store, and the message says where.
 * Whether there is room is the same whatever was written later, so only who receives an event ever stores its body.
 *
 * @param most Bytes that the message may have with the body in it.
 * @throws OncehookError `QUEUE_UNAVAILABLE` when the store did not take the body.
 */
export async function toEventMessage(
  envelope: Envelope,
  bodies: BodyStore,
  most = MAX_INLINE_MESSAGE_BYTES,
): Promise<string> {
  const encode = (body: Envelope['body']): string => toMessageBody(encodeEnvelope({ ...envelope, body }));
  if (isStored(envelope.body)) return encode(envelope.body);
  const { bytes } = envelope.body;
  // Most bodies that are too large are known by their length: a delivery of many events is not encoded once for each.
  if (base64Bytes(bytes) <= most && inlineBytes(envelope) <= most) return encode(envelope.body);
  return encode({ kind: 'stored', ...(await bodies.put(bodyKey(envelope.source, bytes), bytes)) });
}

const base64Bytes = (bytes: Uint8Array): number => Math.ceil(bytes.length / 3) * 4;

const inlineBytes = (envelope: Envelope): number =>
  Buffer.byteLength(
    toMessageBody(
      encodeEnvelope({ ...envelope, notBefore: undefined, postponedSince: undefined, force: false, parked: undefined }),
    ),
  );

/** One object a delivery, however many of its events are queued and however often. */
const bodyKey = (source: string, bytes: Uint8Array): string => `${source}/${hashOf(bytes)}`;

/** By the bytes themselves: the events of a delivery share them, and hashing 4 MB for each of thousands takes seconds. */
const hashes = new WeakMap<Uint8Array, string>();

function hashOf(bytes: Uint8Array): string {
  const known = hashes.get(bytes) ?? sha256Hex(bytes);
  hashes.set(bytes, known);
  return known;
}
