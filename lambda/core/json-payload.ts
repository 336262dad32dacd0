import { OncehookError } from './errors.ts';
import { stringifyJson } from './json.ts';

/** Lists and objects inside each other; ours, far beyond any message and far below the end of the stack. */
export const MAX_JSON_DEPTH = 100;

/**
 * JSON text of a message that says exactly what was given, or an error with the path: `JSON.stringify`
 * would drop functions, write a `Date` as text and `NaN` as `null`.
 *
 * @throws OncehookError `INVALID_WORK`.
 */
export function encodePayload(payload: unknown, path: string): string {
  checkJson(payload, path, 0);
  return stringifyJson(payload);
}

function checkJson(value: unknown, path: string, depth: number): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return;
    case 'number':
      if (!Number.isFinite(value)) refuse(path, `is ${value}, which is not a number of JSON`);
      return;
    case 'object':
      if (value !== null) checkMembers(value, path, depth);
      return;
    default:
      refuse(path, value === undefined ? 'is undefined; leave it out or use null' : `is a ${typeof value}`);
  }
}

function checkMembers(value: object, path: string, depth: number): void {
  if (depth >= MAX_JSON_DEPTH) refuse(path, `is nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (Array.isArray(value)) {
    // An index loop, because array methods pass over holes.
    for (let index = 0; index < value.length; index += 1) checkJson(value[index], `${path}[${index}]`, depth + 1);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse(path, `is ${classOf(value)}; use plain JSON`);
  for (const [name, member] of Object.entries(value)) checkJson(member, `${path}.${name}`, depth + 1);
}

const classOf = (value: object): string => {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'an object of a class';
};

function refuse(path: string, what: string): never {
  throw new OncehookError('INVALID_WORK', `${path} ${what}`, { retryable: false });
}
