import type { Envelope, EnvelopeBody } from './envelope.ts';
import { OncehookError } from './errors.ts';
import type { FailureSummary, ParkReason } from './outcome.ts';
import { type EpochMs, epochMs } from './time.ts';

/** Raise it when the message changes, and keep reading every older one. */
const VERSION = 1;

/** JSON text; the raw bytes in it as base64. */
export function encodeEnvelope(envelope: Envelope): string {
  const { types, body, parked } = envelope;
  const [type, ...baseTypes] = types;
  return JSON.stringify({
    v: VERSION,
    source: envelope.source,
    eventId: envelope.eventId,
    type,
    ...(baseTypes.length === 0 ? {} : { baseTypes }),
    receivedAtMs: envelope.receivedAt,
    eventTimeMs: envelope.occurredAt,
    notBeforeMs: envelope.notBefore,
    postponedSinceMs: envelope.postponedSince,
    ...(envelope.force ? { force: true } : {}),
    ...(parked === undefined ? {} : { reason: parked.reason, lastError: parked.lastError }),
    itemIndex: envelope.itemIndex,
    contentEncoding: envelope.contentEncoding,
    headers: envelope.headers,
    ...(body.kind === 'inline'
      ? { body: Buffer.from(body.bytes).toString('base64') }
      : { bodyAt: { bucket: body.bucket, key: body.key } }),
  });
}

/** @throws OncehookError `MESSAGE_UNREADABLE` naming what is wrong, never a value. */
export function decodeEnvelope(text: string): Envelope {
  const fields = recordOf(parse(text), 'no object');
  if (fields['v'] !== VERSION) {
    throw unreadable(
      `version ${typeof fields['v'] === 'number' ? fields['v'] : 'unknown'}; this code reads ${VERSION}`,
    );
  }
  return {
    source: textIn(fields, 'source'),
    eventId: textIn(fields, 'eventId'),
    types: [textIn(fields, 'type'), ...textsIn(fields, 'baseTypes')],
    receivedAt: timeIn(fields, 'receivedAtMs'),
    occurredAt: optional(fields, 'eventTimeMs', timeIn),
    contentEncoding: optional(fields, 'contentEncoding', textIn),
    itemIndex: optional(fields, 'itemIndex', countIn),
    headers: headersIn(fields),
    body: bodyIn(fields),
    notBefore: optional(fields, 'notBeforeMs', timeIn),
    postponedSince: optional(fields, 'postponedSinceMs', timeIn),
    force: fields['force'] === true,
    parked: parkedIn(fields),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('no JSON');
  }
}

function recordOf(value: unknown, problem: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(problem);
  return Object.fromEntries(Object.entries(value));
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw unreadable(`no text in ${name}`);
  return value;
}

function countIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw unreadable(`no whole number in ${name}`);
  }
  return value;
}

const timeIn = (fields: Fields, name: string): EpochMs => epochMs(countIn(fields, name));

const optional = <T>(fields: Fields, name: string, read: (fields: Fields, name: string) => T): T | undefined =>
  fields[name] === undefined ? undefined : read(fields, name);

function textsIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value)) throw unreadable(`no list in ${name}`);
  return value.map((text: unknown) => (typeof text === 'string' ? text : textIn({}, name)));
}

function headersIn(fields: Fields): Readonly<Record<string, string>> {
  const headers = recordOf(fields['headers'], 'no headers');
  return Object.fromEntries(Object.keys(headers).map((name) => [name, textIn(headers, name)]));
}

function bodyIn(fields: Fields): EnvelopeBody {
  if (fields['body'] !== undefined) return { kind: 'inline', bytes: Buffer.from(textIn(fields, 'body'), 'base64') };
  const at = recordOf(fields['bodyAt'], 'no body');
  return { kind: 'stored', bucket: textIn(at, 'bucket'), key: textIn(at, 'key') };
}

// Shown to people and never decided by, so a reason that this code does not know is passed on.
function parkedIn(fields: Fields): Envelope['parked'] {
  if (fields['reason'] === undefined) return undefined;
  const lastError = optional(fields, 'lastError', (all, name): FailureSummary => {
    const error = recordOf(all[name], `no object in ${name}`);
    return { name: textIn(error, 'name'), message: textIn(error, 'message') };
  });
  return { reason: textIn(fields, 'reason') as ParkReason, lastError };
}

const unreadable = (what: string): OncehookError =>
  new OncehookError('MESSAGE_UNREADABLE', `the message has ${what}`, { retryable: false });
