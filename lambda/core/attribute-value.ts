/**
 * Values in the form in which DynamoDB stores them, and back.
 *
 * A serialiser that drops a function, turns a `Date` into `{}` or shifts list positions where
 * `undefined` was stores something that nobody asked for. This one stores a value faithfully or names the
 * path of what it cannot store. It looks at prototypes and never at `constructor`, which a webhook's body may bring.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 */
import { OncehookError } from './errors.ts';

/** One value on the wire. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: Uint8Array }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: AttributeValue[] }
  | { readonly M: Record<string, AttributeValue> }
  | { readonly SS: string[] }
  | { readonly NS: string[] }
  | { readonly BS: Uint8Array[] };

export type Item = Record<string, AttributeValue>;

/** Lists and maps inside each other. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
export const MAX_DEPTH = 31;

/** Digits that a number keeps exactly. Same source as above. */
export const MAX_DIGITS = 38;

/** Magnitudes that a number can have, zero aside. Same source. */
const SMALLEST = 1e-130;
const TOO_LARGE = 1e126;

/**
 * @param path Where the value stands, for the message.
 * @param depth How many lists and maps are around it.
 * @throws OncehookError `INVALID_WORK`, such as `items[0].when is a Date; store a string, a number or a plain object`.
 */
export function encodeValue(value: unknown, path: string, depth = 0): AttributeValue {
  switch (typeof value) {
    case 'string':
      // UTF-8 has one replacement for every lone surrogate: two texts would become one.
      return value.isWellFormed() ? { S: value } : refuse(path, 'is not well-formed Unicode');
    case 'boolean':
      return { BOOL: value };
    case 'number':
    case 'bigint':
      return { N: encodeNumber(value, path) };
    case 'undefined':
      return refuse(path, 'is undefined; leave it out or use null');
    case 'object':
      return value === null ? { NULL: true } : encodeObject(value, path, depth);
    default:
      return refuse(path, `is a ${typeof value}`);
  }
}

/** The attributes of an item, a key or an expression's values. @throws as {@link encodeValue}. */
export function encodeItem(value: Readonly<Record<string, unknown>>, path = ''): Item {
  return encodeMembers(value, path, 0);
}

function encodeNumber(value: number | bigint, path: string): string {
  if (typeof value === 'bigint') {
    const digits = value.toString().replace(/^-/, '').replace(/0+$/, '').length;
    return digits <= MAX_DIGITS
      ? value.toString()
      : refuse(path, `has ${digits} digits; at most ${MAX_DIGITS} are kept`);
  }
  if (!Number.isFinite(value)) return refuse(path, `is ${value}, which is not a number that can be stored`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return refuse(path, 'is an integer beyond 2^53 that may be rounded already; use a bigint');
  }
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < SMALLEST || magnitude >= TOO_LARGE))
    return refuse(path, 'is outside of what a number can be');
  return String(value);
}

function encodeObject(value: object, path: string, depth: number): AttributeValue {
  if (value instanceof Uint8Array) return { B: value };
  if (value instanceof Set) return encodeSet(value, path);
  if (isNumberValue(value)) return value.toAttributeValue();
  if (depth >= MAX_DEPTH) return refuse(path, `is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    // Array.from visits holes, which array methods pass over.
    return { L: Array.from(value, (member: unknown, index) => encodeValue(member, `${path}[${index}]`, depth + 1)) };
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return refuse(path, `is ${nameOfClass(prototype)}; store a string, a number or a plain object`);
  }
  return { M: encodeMembers(value, path, depth + 1) };
}

function encodeMembers(value: object, path: string, depth: number): Item {
  const members: Item = {};
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (name === '__proto__' || !name.isWellFormed()) return refuse(memberPath, 'is not a name that can be stored');
    members[name] = encodeValue(member, memberPath, depth);
  }
  return members;
}

function encodeSet(set: ReadonlySet<unknown>, path: string): AttributeValue {
  const members = [...set].map((member) => encodeValue(member, `a member of ${path}`));
  const texts = members.flatMap((member) => ('S' in member ? [member.S] : []));
  const numbers = members.flatMap((member) => ('N' in member ? [member.N] : []));
  const bytes = members.flatMap((member) => ('B' in member ? [member.B] : []));
  if (set.size > 0 && texts.length === set.size) return { SS: texts };
  if (set.size > 0 && numbers.length === set.size) return { NS: numbers };
  if (set.size > 0 && bytes.length === set.size) return { BS: bytes };
  return refuse(path, 'is a Set that is empty or not of one kind of text, number or bytes');
}

/** The document client's exact number, known by its shape: classes have other names in a minified bundle. */
const isNumberValue = (value: object): value is { toAttributeValue(): { readonly N: string } } =>
  'toAttributeValue' in value && typeof value.toAttributeValue === 'function';

const nameOfClass = (prototype: unknown): string =>
  typeof prototype === 'object' &&
  prototype !== null &&
  typeof prototype.constructor === 'function' &&
  prototype.constructor.name !== ''
    ? `a ${prototype.constructor.name}`
    : 'an object of a class';

function refuse(path: string, what: string): never {
  throw new OncehookError('INVALID_WORK', `${path === '' ? 'the value' : path} ${what}`, { retryable: false });
}

/**
 * Whole numbers beyond 2^53 come back as `bigint`, all others as `number`, so a small `bigint` comes
 * back as a `number`.
 */
export function decodeValue(value: AttributeValue): unknown {
  if ('S' in value) return value.S;
  if ('N' in value) return decodeNumber(value.N);
  if ('B' in value) return value.B;
  if ('BOOL' in value) return value.BOOL;
  if ('NULL' in value) return null;
  if ('L' in value) return value.L.map(decodeValue);
  if ('M' in value) return decodeItem(value.M);
  if ('SS' in value) return new Set(value.SS);
  if ('NS' in value) return new Set(value.NS.map(decodeNumber));
  if ('BS' in value) return new Set(value.BS);
  return unknownKind(value);
}

function unknownKind(value: never): never {
  throw new OncehookError('ROW_UNREADABLE', `a value of an unknown kind: ${Object.keys(value).join()}`, {
    retryable: false,
  });
}

export const decodeItem = (item: Readonly<Record<string, AttributeValue>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, decodeValue(value)]));

function decodeNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(text) ? BigInt(text) : number;
}
