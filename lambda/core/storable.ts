/**
 * Finds the value that would not survive being stored. Serialisers drop functions, turn a
 * `Date` into `{}` and shift list positions where `undefined` was; a handler that does this by
 * mistake gets an error with the path instead of an item that is quietly wrong.
 */

/** What the value is for: `json` for an outbox payload, `attribute` for a DynamoDB item. */
export type StorableAs = 'json' | 'attribute';

/**
 * Deepest nesting of a stored value.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html (nested attribute depth: 32)
 */
export const MAX_DEPTH = 32;

/** A path and what is wrong there, such as `items[0].when is a Date; store a string or a number`; `undefined` when all is well. */
export function findUnstorable(value: unknown, as: StorableAs, path = '', depth = 1): string | undefined {
  const here = path === '' ? 'the value' : path;
  if (depth > MAX_DEPTH) return `${here} is nested deeper than ${MAX_DEPTH} levels`;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return undefined;
    case 'number':
      if (!Number.isFinite(value)) return `${here} is ${value}, which is not a number that can be stored`;
      if (as === 'attribute' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
        return `${here} is an integer beyond 2^53 that may be rounded already; use a bigint`;
      }
      return undefined;
    case 'undefined':
      return `${here} is undefined; leave it out or use null`;
    case 'function':
    case 'symbol':
      return `${here} is a ${typeof value}`;
    case 'object':
      return value === null ? undefined : findInObject(value, as, path, depth);
    default:
      return `${here} has a type that cannot be stored`;
  }
}

function findInObject(value: object, as: StorableAs, path: string, depth: number): string | undefined {
  if (Array.isArray(value)) {
    // An index loop, because array methods pass over holes.
    for (let index = 0; index < value.length; index += 1) {
      const problem = findUnstorable(value[index], as, `${path}[${index}]`, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (as === 'attribute' && isAttributeObject(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return `${path === '' ? 'the value' : path} is a ${value.constructor.name}; store a string, a number or a plain object`;
  }
  for (const [key, member] of Object.entries(value)) {
    const memberPath = path === '' ? key : `${path}.${key}`;
    if (as === 'attribute' && key === '__proto__') return `${memberPath} is not a name that can be stored`;
    const problem = findUnstorable(member, as, memberPath, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// A NumberValue of the document client is recognised by name: two copies of the SDK make instanceof false.
const isAttributeObject = (value: object): boolean =>
  value instanceof Uint8Array ||
  (value instanceof Set && value.size > 0) ||
  value.constructor?.name === 'NumberValueImpl' ||
  value.constructor?.name === 'NumberValue';
