/**
 * Identify: which events are in the delivery, and what is each one's name?
 *
 * Two copies of an event must get one name, and two events never. The name is the provider's id
 * where it gives one; otherwise the hash of the raw bytes, because a canonical form would round
 * numbers and could make two events one.
 */
import type { IdentifiableEvent, Source } from '../authoring/define-sources.ts';
import type { InboundEvent, InboundRequest } from '../core/event.ts';
import { bodyEventId, inboxEventId, inboxKey, sha256Hex } from '../core/inbox-key.ts';
import { parseJson } from '../core/json.ts';
import { type EpochMs, epochMs } from '../core/time.ts';
import type { EventTime, Location, ProviderPreset } from '../providers/preset.ts';

export type Identified =
  | {
      readonly kind: 'identified';
      readonly events: readonly [InboundEvent, ...InboundEvent[]];
      readonly isBatch: boolean;
    }
  /** `reason` is for the log alone. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** @param plainBytes The body after inflating; the request's own are hashed. */
export function identify(source: Source, request: InboundRequest, plainBytes: Uint8Array): Identified {
  const body = parseBody(source.provider, request, plainBytes);
  if (body === undefined) return { kind: 'malformed', reason: 'the body is not JSON' };

  const { batch } = source.provider;
  const items = batch === undefined ? [body.value] : valueAt(body.value, batch);
  if (!Array.isArray(items)) return { kind: 'malformed', reason: 'the body has no list of events' };

  const bodyHash = sha256Hex(request.body);
  const events: InboundEvent[] = [];
  for (const [index, item] of items.entries()) {
    const event = identifyOne(source, request, item, bodyHash, batch === undefined ? undefined : index);
    if (typeof event === 'string') return { kind: 'malformed', reason: event };
    events.push(event);
  }
  const [first, ...rest] = events;
  if (first === undefined) return { kind: 'malformed', reason: 'the list of events is empty' };
  return { kind: 'identified', events: [first, ...rest], isBatch: batch !== undefined };
}

/** One event, or what is wrong with it. */
function identifyOne(
  source: Source,
  request: InboundRequest,
  body: unknown,
  bodyHash: string,
  index: number | undefined,
): InboundEvent | string {
  const { provider } = source;
  const [mostSpecific, ...others] = typesOf(provider, request, body);
  if (mostSpecific === undefined) return 'the event has no type';

  const headers = Object.fromEntries(
    provider.headers.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
  );
  const given = provider.id.map((location) => textAt(location, request, body)).find((id) => id !== undefined);
  const providerId = given === undefined ? bodyEventId(bodyHash, index) : inboxEventId(given);
  const eventId = overridden(source, { source: source.name, id: providerId, type: mostSpecific, body, headers });
  if (eventId === undefined) return 'the id override of the source gave no text';
  return {
    source: source.name,
    eventId,
    key: inboxKey(source.name, eventId),
    types: [mostSpecific, ...others],
    body,
    rawBody: request.body,
    bodyHash,
    headers,
    receivedAt: request.receivedAt,
    occurredAt: provider.eventTime === undefined ? undefined : timeAt(provider.eventTime, request, body),
  };
}

function overridden(source: Source, event: IdentifiableEvent): string | undefined {
  if (source.id === undefined) return event.id;
  const id: unknown = source.id(event);
  if (id === event.id) return event.id;
  return typeof id === 'string' && id.trim() !== '' ? inboxEventId(id) : undefined;
}

// The preset decides what the body is, not the content type: senders post JSON as text/plain.
function parseBody(
  provider: ProviderPreset,
  request: InboundRequest,
  bytes: Uint8Array,
): { readonly value: unknown } | undefined {
  const isForm =
    provider.body === 'json-or-form-payload' &&
    /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const json = isForm ? new URLSearchParams(text).get('payload') : text;
    return json === null ? undefined : { value: parseJson(json) };
  } catch {
    return undefined;
  }
}

function typesOf(provider: ProviderPreset, request: InboundRequest, body: unknown): readonly string[] {
  return provider.type.flatMap((locations) => {
    const parts = locations.map((location) => textAt(location, request, body));
    return parts.includes(undefined) ? [] : [parts.join('.')];
  });
}

/** A text or whole number at a location; blank and everything else count as absent. */
function textAt(location: Location, request: InboundRequest, body: unknown): string | undefined {
  const value = 'header' in location ? request.headers[location.header] : valueAt(body, location.json);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

// Own properties only: a body must not reach what every object inherits.
function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
    body,
  );
}

function timeAt(time: EventTime, request: InboundRequest, body: unknown): EpochMs | undefined {
  const text = textAt(time.from, request, body);
  if (text === undefined) return undefined;
  const at = time.unit === 'iso8601' ? Date.parse(text) : Number(text) * (time.unit === 's' ? 1000 : 1);
  return Number.isFinite(at) ? epochMs(at) : undefined;
}
