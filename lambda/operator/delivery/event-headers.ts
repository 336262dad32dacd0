import type { AnyPreset, Location } from '../../providers/preset.ts';
import { textAt } from '../../providers/read-location.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers that carry the event id or a part of it, for a preset that has it there. */
export const idHeaders = (preset: AnyPreset, id: string): Headers =>
  Object.fromEntries(preset.id.flat().flatMap((location) => ('header' in location ? [[location.header, id]] : [])));

/**
 * Headers that make the receiver see `type`, given what the body says already: `issues.opened` with
 * `action: "opened"` in the body is `x-github-event: issues`.
 *
 * @param event The parsed event; `undefined` when the body is no JSON.
 */
export function typeHeaders(preset: AnyPreset, type: string, event: unknown): Headers {
  for (const parts of preset.type) {
    const headers = solve(parts, type, event);
    if (headers !== undefined && !isShortFormOfAnother(preset, parts)) return headers;
  }
  // Nothing fits exactly: the name before the first full stop is the nearest that a sender would say.
  const header = preset.type.flat().find((part) => 'header' in part);
  return header === undefined || !('header' in header) ? {} : { [header.header]: type.split('.')[0] ?? type };
}

/** The header values with which `parts`, joined by full stops, give `type`; one header at most is unknown. */
function solve(parts: readonly Location[], type: string, event: unknown): Headers | undefined {
  const known = parts.map((part) => ('json' in part ? textAt(part, {}, event) : undefined));
  const unknown = parts.flatMap((part) => ('header' in part ? [part.header] : []));
  const [header] = unknown;
  if (known.filter((text) => text === undefined).length !== unknown.length || unknown.length > 1) return undefined;
  if (header === undefined) return known.join('.') === type ? {} : undefined;

  const at = known.indexOf(undefined);
  const before = known
    .slice(0, at)
    .map((text) => `${text}.`)
    .join('');
  const after = known
    .slice(at + 1)
    .map((text) => `.${text}`)
    .join('');
  const fits = type.startsWith(before) && type.endsWith(after) && type.length > before.length + after.length;
  return fits ? { [header]: type.slice(before.length, type.length - after.length) } : undefined;
}

/** Whether `parts` is the beginning of a longer entry, whose header value then has no full stop of its own. */
const isShortFormOfAnother = (preset: AnyPreset, parts: readonly Location[]): boolean =>
  preset.type.some((other) => other.length > parts.length && JSON.stringify(other[0]) === JSON.stringify(parts[0]));
