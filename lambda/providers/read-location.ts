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

/** The event's types, most specific first; empty when it has none. */
export function typesAt(preset: ProviderPreset, headers: Headers, body: unknown): readonly string[] {
  return preset.type.flatMap((locations) => {
    const parts = locations.map((location) => textAt(location, headers, body));
    return parts.includes(undefined) ? [] : [parts.join('.')];
  });
}
