import { stringifyJson } from '../../core/json.ts';
import type { EpochMs } from '../../core/time.ts';
import { eventsAt } from '../../providers/batch.ts';
import { formObject, looksLikeJson } from '../../providers/form.ts';
import { jsonBody } from '../../providers/json-body.ts';
import type { AnyPreset } from '../../providers/preset.ts';
import { idAt, typesAt } from '../../providers/read-location.ts';
import { Refusal } from '../refusal.ts';
import type { BuildSample } from '../samples/sample.ts';
import { samplesOf } from '../samples/samples-of.ts';
import type { SignableSource } from '../signable-source.ts';
import { idHeaders, typeHeaders } from './event-headers.ts';

/** A delivery without its signature: every copy has this body and these headers. */
export interface PreparedDelivery {
  /** Goes into the signature where the scheme signs an id. */
  readonly id: string;
  /** The id the receiver will see, where one can be told before its answer. */
  readonly eventId: string | undefined;
  /** The types the receiver will see, most specific first. */
  readonly types: readonly string[];
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
  const id = wish.id ?? samplesOf(provider).newId(wish.uuid, wish.type);
  refuseUnsendable(wish.type, provider, id);
  return wish.file === undefined ? prepareSample(wish, id) : prepareFile(wish, wish.file, id);
}

function prepareSample({ source, type, id: wanted, now }: DeliveryWish, id: string): PreparedDelivery {
  const { provider } = source;
  const { types, generic, form } = samplesOf(provider);
  const build = Object.hasOwn(types, type) ? types[type] : generic;
  if (build === undefined) throw new Refusal(noSample(source, type));

  const value = build({ id, type, now });
  const body = Buffer.from(form === true ? writeForm(value) : stringifyJson(value));
  const delivery = seen(provider, type, id, body);
  const notes = [...typeNotes(type, delivery.types), ...idNotes(source, wanted, delivery.eventId)];
  return { ...delivery, notes };
}

function prepareFile({ source, type, id: wanted }: DeliveryWish, body: Uint8Array, id: string): PreparedDelivery {
  const { provider, signer } = source;
  const delivery = seen(provider, type, id, body);
  const notes = [
    ...typeNotes(type, delivery.types),
    ...(wanted !== undefined && delivery.eventId !== wanted
      ? ['--id is not applied: the id is in the body, and the bytes of a file are sent as they are']
      : []),
    ...(signer.rewrites === undefined ? [] : [signer.rewrites]),
  ];
  return { ...delivery, notes };
}

/** What the receiver will see in a body. */
function seen(provider: AnyPreset, type: string, id: string, body: Uint8Array): Omit<PreparedDelivery, 'notes'> {
  const event = eventsAt(provider, valueIn(provider, body))?.[0];
  const headers = headersOf(provider, type, id, event, body);
  return { id, eventId: idAt(provider, headers, event), types: typesAt(provider, headers, event), body, headers };
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
  provider: AnyPreset,
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

function contentType(provider: AnyPreset, body: Uint8Array): string {
  if (provider.body === 'json-or-form-payload' && Buffer.from(body.subarray(0, 8)).toString() === 'payload=') {
    return FORM_TYPE;
  }
  if (provider.body === 'json-or-form' && !looksLikeJson(Buffer.from(body).toString('utf8'))) return FORM_TYPE;
  return provider.name === 'stripe' ? 'application/json; charset=utf-8' : 'application/json';
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

function typeNotes(type: string, types: readonly string[]): readonly string[] {
  if (types.includes(type)) return [];
  return [
    types[0] === undefined ? `nothing in what is sent says ${type}` : `the body makes this ${types[0]}, not ${type}`,
  ];
}

/** What a header cannot hold, a receiver must refuse, or nobody would send. */
function refuseUnsendable(type: string, provider: AnyPreset, id: string): void {
  if (type.trim() === '' || !isHeaderText(type)) throw new Refusal('the event type must be visible ASCII characters');
  if (id.trim() === '') throw new Refusal('--id must not be blank');
  const { scheme } = provider;
  const isSignature = scheme.kind !== 'token' && scheme.kind !== 'code';
  const idHeader = isSignature ? scheme.idHeader : undefined;
  const inHeader = idHeader !== undefined || provider.id.flat().some((location) => 'header' in location);
  if (inHeader && !isHeaderText(id))
    throw new Refusal('--id goes into a header, so it must be visible ASCII characters');

  const signed = isSignature ? scheme.signed : [];
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

function valueIn(provider: AnyPreset, bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString('utf8');
  return provider.body === 'json-or-form' && !looksLikeJson(text) ? formObject(text) : jsonBody(bytes);
}

function writeForm(value: ReturnType<BuildSample>): string {
  const form = new URLSearchParams();
  for (const [name, field] of Object.entries(value)) form.append(name, String(field));
  return form.toString();
}
