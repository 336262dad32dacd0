/**
 * Reads in a delivery what a preset's locations point at. Receiver and command line both read with
 * this file, so that what `oncehook send` announces is what the receiver sees.
 */
import type { Location, ProviderPreset } from './preset.ts';

type Headers = Readonly<Record<string, string>>;

/** The value at a path of own properties: a body must not reach what every object inherits. */
export function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
    body,
  );
}

/** A text or whole number at a location; blank and everything else count as absent. */
export function textAt(location: Location, headers: Headers, body: unknown): string | undefined {
  const value = 'header' in location ? headers[location.header] : valueAt(body, location.json);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The first text that one of the locations has. */
export function firstTextAt(locations: readonly Location[], headers: Headers, body: unknown): string | undefined {
  for (const location of locations) {
    const text = textAt(location, headers, body);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The event's id as its provider gives it, `undefined` when it gives none. */
export function idAt(preset: Pick<ProviderPreset, 'id'>, headers: Headers, body: unknown): string | undefined {
  for (const location of preset.id) {
    const id = isSeveral(location) ? joinedAt(location, headers, body) : textAt(location, headers, body);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The event's types, most specific first; empty when it has none. */
export function typesAt(
  preset: Pick<ProviderPreset, 'type' | 'defaultType'>,
  headers: Headers,
  body: unknown,
): readonly string[] {
  const types = preset.type.flatMap((locations) => {
    const parts = locations.map((location) => textAt(location, headers, body));
    return parts.includes(undefined) ? [] : [parts.join('.')];
  });
  return types.length > 0 || preset.defaultType === undefined ? [...new Set(types)] : [preset.defaultType];
}

export const isSeveral = (location: Location | readonly Location[]): location is readonly Location[] =>
  Array.isArray(location);

/** What joins the parts of an id. */
const JOINT = '|';

/** The joint is escaped where a part contains it, so that no two lists of parts give one id. */
function joinedAt(locations: readonly Location[], headers: Headers, body: unknown): string | undefined {
  const parts = locations.map((location) => textAt(location, headers, body));
  if (parts.includes(undefined)) return undefined;
  return parts.map((part = '') => part.replaceAll('%', '%25').replaceAll(JOINT, '%7C')).join(JOINT);
}
