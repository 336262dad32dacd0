import { assertNever } from '../core/assert-never.ts';
import { type EpochMs, epochMs } from '../core/time.ts';
import type { EventTime, Location } from '../providers/preset.ts';
import { firstTextAt, isSeveral, valueAt } from '../providers/read-location.ts';

/**
 * When the provider says it happened. A value that names no moment after 1970 counts as absent: the
 * event is then as old as its first copy, and no genuine event is lost for a field that few look at.
 */
export function eventTimeAt(
  time: EventTime,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): EpochMs | undefined {
  const locations = isSeveral(time.from) ? time.from : [time.from];
  const text = firstTextAt(locations, headers, body) ?? fractionAt(locations, body);
  if (text === undefined) return undefined;
  const at = Math.floor(toMilliseconds(text, time.unit));
  // Of a number that no date can have, getTime() is NaN, which is not above anything.
  return new Date(at).getTime() > 0 ? epochMs(at) : undefined;
}

function toMilliseconds(text: string, unit: EventTime['unit']): number {
  switch (unit) {
    case 's':
      return Number(text) * 1000;
    case 'ms':
      return Number(text);
    case 'iso8601':
      return BEGINS_WITH_DATE.test(text) ? Date.parse(HAS_NO_ZONE.test(text) ? `${text}Z` : text) : Number.NaN;
    default:
      return assertNever(unit);
  }
}

/** A time may be a number with a fraction, which no id and no type is. */
function fractionAt(locations: readonly Location[], body: unknown): string | undefined {
  const numbers = locations.map((location) => ('json' in location ? valueAt(body, location.json) : undefined));
  return numbers.find((value) => typeof value === 'number')?.toString();
}

/** Senders that leave the zone out mean UTC; `Date.parse` would take the machine's. */
const HAS_NO_ZONE = /T[\d:.]+$/;

/** `Date.parse` takes much that is no ISO 8601: to it, `0` is the year 2000. */
const BEGINS_WITH_DATE = /^\d{4}-\d{2}-\d{2}/;
