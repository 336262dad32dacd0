import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { formatDecimal, parseDecimal } from './decimal.ts';
import { serializationException, validationException } from './errors.ts';

export type Item = Readonly<Record<string, AttributeValue>>;

const VALUE_TYPES = ['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Levels of values, an attribute's own included. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
export const MAX_NESTING = 32;

const INVALID = 'One or more parameter values were invalid: ';

export function typeOf(value: AttributeValue): ValueType {
  const type = VALUE_TYPES.find((candidate) => value[candidate] !== undefined);
  if (type === undefined) {
    throw validationException('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
  return type;
}

function text(raw: unknown): string {
  if (typeof raw !== 'string') throw serializationException(`${typeof raw} can not be converted to a String`);
  return raw;
}

function bytes(raw: unknown): Uint8Array {
  if (!(raw instanceof Uint8Array)) throw serializationException(`${typeof raw} can not be converted to a Blob`);
  return Uint8Array.from(raw);
}

function flag(raw: unknown): boolean {
  if (typeof raw !== 'boolean') throw serializationException(`${typeof raw} can not be converted to a Boolean`);
  return raw;
}

const number = (raw: unknown): string => formatDecimal(parseDecimal(text(raw)));

const base64 = (raw: Uint8Array): string => Buffer.from(raw).toString('base64');

function checkSet<Member>(kind: string, members: readonly Member[], identity: (member: Member) => string): Member[] {
  if (members.length === 0) throw validationException(`${INVALID}An ${kind} set  may not be empty`);
  if (new Set(members.map(identity)).size < members.length) {
    throw validationException(`${INVALID}Input collection [${members.map(identity).join(', ')}] contains duplicates.`);
  }
  return [...members];
}

/**
 * Copies a value out of a request, checked and in the service's own form (numbers without superfluous digits).
 * @throws ValidationException for what the service refuses, SerializationException for what it can not read.
 */
export function readValue(raw: AttributeValue, depth = 0): AttributeValue {
  const given = Object.entries(raw).filter(([, content]) => content !== undefined);
  if (given.length > 1) {
    throw validationException(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  if (depth >= MAX_NESTING) {
    throw validationException(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  }
  if (raw.S !== undefined) return { S: text(raw.S) };
  if (raw.N !== undefined) return { N: number(raw.N) };
  if (raw.B !== undefined) return { B: bytes(raw.B) };
  if (raw.BOOL !== undefined) return { BOOL: flag(raw.BOOL) };
  if (raw.M !== undefined) return { M: readAttributes(raw.M, depth + 1) };
  if (raw.L !== undefined) return { L: raw.L.map((element) => readValue(element, depth + 1)) };
  if (raw.SS !== undefined) return { SS: checkSet('string', raw.SS.map(text), (member) => member) };
  if (raw.NS !== undefined) return { NS: checkSet('number', raw.NS.map(number), (member) => member) };
  if (raw.BS !== undefined) return { BS: checkSet('binary', raw.BS.map(bytes), base64) };
  if (raw.NULL === true) return { NULL: true };
  if (raw.NULL !== undefined) {
    throw validationException(`${INVALID}Null attribute value types must have the value of true`);
  }
  throw serializationException(`unknown attribute value type ${Object.keys(raw).join(', ')}`);
}

function readAttributes(raw: Item, depth: number): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, readValue(value, depth)]));
}

/** {@link readValue} for each attribute of an item or key. */
export const readItem = (raw: Item): Item => readAttributes(raw, 0);

/** A copy the caller may change without reaching the store. */
export const copyItem = (item: Item): Record<string, AttributeValue> => structuredClone({ ...item });
