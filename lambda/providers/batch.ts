/**
 * Takes the events out of a body that carries several. Receiver and command line both split with this
 * file.
 */
import type { ProviderPreset } from './preset.ts';
import { valueAt } from './read-location.ts';

type Path = readonly string[];

/**
 * Most events of one delivery. Queueing so many takes a function of 512 MB some five of its ten seconds; with many more
 * it would be killed before it answers, and they would be sent again and again.
 */
export const MAX_EVENTS = 5000;

/** The events in a body, in its order; `undefined` when the list that the preset promises is not there. */
export function eventsAt(
  { batch, explode }: Pick<ProviderPreset, 'batch' | 'explode'>,
  body: unknown,
): readonly unknown[] | undefined {
  if (batch === undefined) return [body];
  const entries = entriesAt(body, batch);
  return explode === undefined ? entries : entries?.flatMap((entry) => exploded(entry, explode));
}

/** After a `*` an entry may be the value itself; an entry that has nothing at the rest of the path is none. */
function entriesAt(body: unknown, path: Path): readonly unknown[] | undefined {
  const star = path.indexOf('*');
  const list = valueAt(body, star < 0 ? path : path.slice(0, star));
  if (!Array.isArray(list)) return undefined;
  if (star < 0) return list;
  const rest = path.slice(star + 1);
  const found = list.map((entry: unknown) =>
    rest.includes('*') ? entriesAt(entry, rest) : listed(valueAt(entry, rest)),
  );
  return found.some((entries) => entries !== undefined) ? found.flatMap((entries) => entries ?? []) : undefined;
}

const listed = (value: unknown): readonly unknown[] | undefined =>
  value === undefined || Array.isArray(value) ? value : [value];

/** One copy of the entry for each element of its arrays; the entry itself where they are all empty or absent. */
function exploded(entry: unknown, arrays: readonly Path[]): readonly unknown[] {
  const bare = arrays.reduce((copy, path) => withArray(copy, path, []), entry);
  const copies = arrays.flatMap((path) => {
    const elements = valueAt(entry, path);
    return Array.isArray(elements) ? elements.map((element: unknown) => withArray(bare, path, [element])) : [];
  });
  return copies.length === 0 ? [entry] : copies;
}

/** A copy in which the array at `path`, where there is one, is another. */
function withArray(value: unknown, [name, ...rest]: Path, array: readonly unknown[]): unknown {
  if (name === undefined) return Array.isArray(value) ? array : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: withArray(Reflect.get(value, name), rest, array) };
}
