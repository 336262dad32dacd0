import { parseJson, stringifyJson } from '../../core/json.ts';
import type { EpochMs } from '../../core/time.ts';
import { eventsAt } from '../../providers/batch.ts';
import type { ProviderPreset } from '../../providers/preset.ts';
import { idAt, typesAt } from '../../providers/read-location.ts';
import { Refusal } from '../refusal.ts';
import { samplesOf } from '../samples/samples-of.ts';
import type { SignableSource } from '../signable-source.ts';
import { idHeaders, typeHeaders } from './event-headers.ts';
import { wantsStamp } from './stamp-body.ts';

/** A delivery without its signature: every copy has this body and these headers. */
export interface PreparedDelivery {
  /** Goes into the signature where the scheme signs an id. */
  readonly id: string;
  /** The id the receiver will see, where one can be told before its answer. */
  readonly eventId: string | undefined;
  readonly body: Uint8Array;
  /** Lower-case names; nothing that authenticates. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was asked for and could not be done. */
  readonly notes: readonly string[];
}

export interface DeliveryWish {
  readonly source: SignableSource;
  readonly type: string;
  /** Absent for a fresh one. */
  readonly id: string | undefined;
  /** Absent for a sample. */
  readonly file: Uint8Array | undefined;
  readonly now: EpochMs;
  readonly uuid: string;
}

/**
 * Makes the delivery that the source's provider would send: of a sample, or of the bytes of a file as
 * they are.
 *
 * @throws Refusal when there is no sample, or the id cannot be sent.
 */
export function prepareDelivery(wish: DeliveryWish): PreparedDelivery {
  const { provider } = wish.source;
  const id = wish.id ?? samplesOf(provider).newId(wish.uuid);
  refuseUnsendable(wish.type, provider, id);
  return wish.file === undefined ? prepareSample(wish, id) : prepareFile(wish, wish.file, id);
}

function prepareSample({ source, type, id: wanted, now }: DeliveryWish, id: string): PreparedDelivery {
  const { provider } = source;
  const { types, generic } = samplesOf(provider);
  const build = Object.hasOwn(types, type) ? types[type] : generic;
  if (build === undefined) throw new Refusal(noSample(source, type));

  const value = build({ id, type, now });
  const body = Buffer.from(stringifyJson(value));
  const event = firstEvent(provider, value);
  const headers = headersOf(provider, type, id, event, body);
  const eventId = idAt(provider, headers, event);
  const notes = [...typeNotes(provider, type, headers, event), ...idNotes(source, wanted, eventId)];
  return { id, eventId, body, headers, notes };
}

function prepareFile({ source, type, id: wanted }: DeliveryWish, body: Uint8Array, id: string): PreparedDelivery {
  const { provider } = source;
  const event = firstEvent(provider, jsonIn(body));
  const headers = headersOf(provider, type, id, event, body);
  const eventId = idAt(provider, headers, event);
  const notes = [
    ...typeNotes(provider, type, headers, event),
    ...(wanted !== undefined && eventId !== wanted
      ? ['--id is not applied: the id is in the body, and the bytes of a file are sent as they are']
      : []),
    ...(wantsStamp(provider.scheme) ? ['the time and the signature in the body are written anew'] : []),
  ];
  return { id, eventId, body, headers, notes };
}

function idNotes(
  { name, provider }: SignableSource,
  wanted: string | undefined,
  eventId: string | undefined,
): readonly string[] {
  if (wanted === undefined || wanted === eventId) return [];
  if (eventId !== undefined) return [`--id is one part of what names an event of ${name}`];
  return provider.unnamed === 'delivery'
    ? [`--id names nothing: every delivery of ${name} is an event of its own`]
    : [`--id names nothing: an event of ${name} is named by the hash of its body`];
}

function headersOf(
  provider: ProviderPreset,
  type: string,
  id: string,
  event: unknown,
  body: Uint8Array,
): Readonly<Record<string, string>> {
  return {
    'content-type': contentType(provider, body),
    'user-agent': 'oncehook-send',
    ...idHeaders(provider, id),
    ...typeHeaders(provider, type, event),
  };
}

function contentType(provider: ProviderPreset, body: Uint8Array): string {
  if (provider.body === 'json-or-form-payload' && Buffer.from(body.subarray(0, 8)).toString() === 'payload=') {
    return 'application/x-www-form-urlencoded';
  }
  return provider.name === 'stripe' ? 'application/json; charset=utf-8' : 'application/json';
}

function typeNotes(
  provider: ProviderPreset,
  type: string,
  headers: Readonly<Record<string, string>>,
  event: unknown,
): readonly string[] {
  const seen = typesAt(provider, headers, event);
  if (seen.includes(type)) return [];
  return [
    seen[0] === undefined ? `nothing in what is sent says ${type}` : `the body makes this ${seen[0]}, not ${type}`,
  ];
}

/** What a header cannot hold, a receiver must refuse, or nobody would send. */
function refuseUnsendable(type: string, provider: ProviderPreset, id: string): void {
  if (type.trim() === '' || !isHeaderText(type)) throw new Refusal('the event type must be visible ASCII characters');
  if (id.trim() === '') throw new Refusal('--id must not be blank');
  const idHeader = provider.scheme.kind === 'token' ? undefined : provider.scheme.idHeader;
  const inHeader = idHeader !== undefined || provider.id.flat().some((location) => 'header' in location);
  if (inHeader && !isHeaderText(id))
    throw new Refusal('--id goes into a header, so it must be visible ASCII characters');

  const signed = provider.scheme.kind === 'token' ? [] : provider.scheme.signed;
  const next = signed.includes('id') ? signed[signed.indexOf('id') + 1] : undefined;
  if (typeof next === 'object' && 'text' in next && id.includes(next.text)) {
    throw new Refusal(`--id must not contain ${JSON.stringify(next.text)}, which ends the id in what is signed`);
  }
}

const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

function noSample(source: SignableSource, type: string): string {
  const known = Object.keys(samplesOf(source.provider).types);
  const offer = known.length === 0 ? `no samples for ${source.provider.name}` : `samples of ${known.join(', ')}`;
  return `no sample of ${type} for ${source.name}: there are ${offer}; send your own body with --file BODY`;
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const firstEvent = (provider: ProviderPreset, body: unknown): unknown => eventsAt(provider, body)?.[0];
