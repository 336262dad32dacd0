import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';
import type { Path } from './expression.ts';

const childOf = (parent: AttributeValue | undefined, segment: string | number): AttributeValue | undefined =>
  typeof segment === 'number' ? parent?.L?.[segment] : ownMember(parent?.M, segment);

const ownMember = (map: Item | undefined, name: string): AttributeValue | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;

/** The value at a path, or `undefined` when any part of the path is missing or of another type. */
export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  return path.reduce<AttributeValue | undefined>(childOf, { M: { ...item } });
}

function pick(value: AttributeValue, paths: readonly Path[]): AttributeValue | undefined {
  if (paths.some((path) => path.length === 0)) return value;
  const segments = [...new Set(paths.map((path) => path[0]))].filter((segment) => segment !== undefined);
  const picked = segments.flatMap((segment) => {
    const child = childOf(value, segment);
    const below = paths.filter((path) => path[0] === segment).map((path) => path.slice(1));
    const part = child === undefined ? undefined : pick(child, below);
    return part === undefined ? [] : [{ segment, part }];
  });
  if (picked.length === 0) return undefined;
  if (value.M !== undefined) return { M: Object.fromEntries(picked.map(({ segment, part }) => [segment, part])) };
  return { L: picked.toSorted((a, b) => Number(a.segment) - Number(b.segment)).map(({ part }) => part) };
}

/** The parts of an item that the paths name, in their maps; chosen list elements close up. Missing paths are left out. */
export function project(item: Item, paths: readonly Path[]): Item {
  return pick({ M: { ...item } }, paths)?.M ?? {};
}
