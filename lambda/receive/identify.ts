/**
 * Identify: which events are in the delivery, and what is each one's name?
 *
 * Two copies of an event must get one name, and two events never. The name is the provider's id
 * where it gives one; otherwise the hash of the signed bytes: a canonical form would round numbers
 * and could make two events one, and what nobody signed, as a compression may be, could make one two.
 *
 * An item of a batch that cannot be used is set aside under the delivery's hash and its place: the
 * events beside it are genuine, and the provider would send all of them again and again for it.
 */
import type { IdentifiableEvent, Source } from '../authoring/define-sources.ts';
import type { InboundEvent, InboundRequest } from '../core/event.ts';
import { bodyEventId, inboxEventId, inboxKey, sha256Hex } from '../core/inbox-key.ts';
import { summarise } from '../core/outcome.ts';
import { MAX_EVENTS } from '../providers/batch.ts';
import { idAt, typesAt, valueAt } from '../providers/read-location.ts';
import { eventTimeAt } from './event-time.ts';
import { parseBody } from './parse-body.ts';

export type IdentifiedItem =
  | { readonly kind: 'event'; readonly event: InboundEvent }
  /** `reason` is for the log alone. */
  | { readonly kind: 'unusable'; readonly eventId: string; readonly reason: string };

export type Identified =
  /** In the delivery's order; at least one of them is an event. */
  | { readonly kind: 'identified'; readonly items: readonly IdentifiedItem[]; readonly isBatch: boolean }
  | { readonly kind: 'too-large' }
  /** `reason` is for the log alone. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** @param plainBytes The body after inflating. */
export function identify(source: Source, request: InboundRequest, plainBytes: Uint8Array): Identified {
  const parsed = parseBody(source.provider, plainBytes);
  if (parsed.kind === 'malformed') return parsed;
  if (parsed.items.length > MAX_EVENTS) return { kind: 'too-large' };

  const isBatch = source.provider.batch !== undefined;
  const bodyHash = sha256Hex(request.body);
  const signedHash = source.provider.scheme.signs === 'inflated' ? sha256Hex(plainBytes) : bodyHash;
  const hashes = { bodyHash, signedHash };
  const items = parsed.items.map((item, n) => identifyOne(source, request, item, hashes, isBatch ? n : undefined));
  if (items.some((item) => item.kind === 'event')) return { kind: 'identified', items, isBatch };
  const [first] = items;
  return { kind: 'malformed', reason: first?.kind === 'unusable' ? first.reason : 'the list of events is empty' };
}

interface Hashes {
  /** Of the bytes on the wire. */
  readonly bodyHash: string;
  /** Of the bytes that the scheme signs: those, or the inflated ones. */
  readonly signedHash: string;
}

function fallbackIdOf(source: Source, request: InboundRequest, signedHash: string, index: number | undefined): string {
  const id = bodyEventId(signedHash, index);
  return source.provider.unnamed === 'delivery' ? `${id}_${request.receivedAt}` : id;
}

/** @param itemIndex Its place in a batch. */
function identifyOne(
  source: Source,
  request: InboundRequest,
  body: unknown,
  { bodyHash, signedHash }: Hashes,
  itemIndex: number | undefined,
): IdentifiedItem {
  const fallbackId = fallbackIdOf(source, request, signedHash, itemIndex);
  const unusable = (reason: string): IdentifiedItem => ({ kind: 'unusable', eventId: fallbackId, reason });
  const { provider } = source;
  const [mostSpecific, ...others] = typesAt(provider, request.headers, body);
  if (mostSpecific === undefined) return unusable('the event has no type');
  const { only } = provider;
  const said = only === undefined ? undefined : valueAt(body, only.json);
  if (only !== undefined && said !== undefined && said !== only.is) return unusable(only.otherwise);

  const headers = Object.fromEntries(
    provider.headers.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
  );
  const given = idAt(provider, request.headers, body);
  const providerId = given === undefined ? fallbackId : inboxEventId(given);
  const named = nameBySource(source, { source: source.name, id: providerId, type: mostSpecific, body, headers });
  if ('problem' in named) return unusable(named.problem);
  const { eventId } = named;
  return {
    kind: 'event',
    event: {
      source: source.name,
      eventId,
      key: inboxKey(source.name, eventId),
      types: [mostSpecific, ...others],
      body,
      rawBody: request.body,
      bodyHash,
      contentEncoding: request.headers['content-encoding'],
      itemIndex,
      headers,
      receivedAt: request.receivedAt,
      occurredAt: provider.eventTime === undefined ? undefined : eventTimeAt(provider.eventTime, request.headers, body),
    },
  };
}

/** The name that the source's own `id` gives the event, or the provider's where it has none. */
function nameBySource(
  source: Source,
  event: IdentifiableEvent,
): { readonly eventId: string } | { readonly problem: string } {
  if (source.id === undefined) return { eventId: event.id };
  let id: unknown;
  try {
    id = source.id(event);
  } catch (error) {
    const { name, message } = summarise(error);
    return { problem: `the id override of the source failed: ${name}: ${message}` };
  }
  if (id === event.id) return { eventId: event.id };
  return typeof id === 'string' && id.trim() !== ''
    ? { eventId: inboxEventId(id) }
    : { problem: 'the id override of the source gave no text' };
}
