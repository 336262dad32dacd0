import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, typeOf } from './attribute-value.ts';
import { validationException } from './errors.ts';

export type KeyType = 'S' | 'N' | 'B';

export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

export interface KeySchema {
  readonly partition: KeyAttribute;
  readonly sort: KeyAttribute | undefined;
}

/** Bytes. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
export const MAX_PARTITION_KEY_BYTES = 2048;
/** Bytes. Same source. */
export const MAX_SORT_KEY_BYTES = 1024;

const INVALID = 'One or more parameter values were invalid: ';

export const attributesOfKey = ({ partition, sort }: KeySchema): readonly KeyAttribute[] =>
  sort === undefined ? [partition] : [partition, sort];

const keyBytes = (value: AttributeValue | undefined): number => value?.B?.length ?? Buffer.byteLength(value?.S ?? '');

/** Refuses empty key values, in a table's key or an index's. */
export function checkNotEmpty(schema: KeySchema, item: Item): void {
  for (const { name } of attributesOfKey(schema)) {
    const value = item[name];
    if (value?.S !== '' && value?.B?.length !== 0) continue;
    throw validationException(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an ' +
        `empty ${value.S === '' ? 'string' : 'binary'} value. Key: ${name}`,
    );
  }
}

/** Refuses key values that are too long, in a table's key or an index's. */
export function checkKeySizes({ partition, sort }: KeySchema, item: Item): void {
  if (keyBytes(item[partition.name]) > MAX_PARTITION_KEY_BYTES) {
    throw validationException(
      `${INVALID}Size of hashkey has exceeded the maximum size limit of${MAX_PARTITION_KEY_BYTES} bytes`,
    );
  }
  if (sort !== undefined && keyBytes(item[sort.name]) > MAX_SORT_KEY_BYTES) {
    throw validationException(
      `${INVALID}Aggregated size of all range keys has exceeded the size limit of ${MAX_SORT_KEY_BYTES} bytes`,
    );
  }
}

const keyMismatch = () => validationException('The provided key element does not match the schema');

/** @throws ValidationException unless `key` has exactly the attributes of the table's key, none of them empty. */
export function checkKeyNames(schema: KeySchema, key: Item): void {
  const attributes = attributesOfKey(schema);
  if (Object.keys(key).length !== attributes.length || attributes.some(({ name }) => key[name] === undefined)) {
    throw keyMismatch();
  }
  checkNotEmpty(schema, key);
}

/** @throws ValidationException unless the key's values have the table's types and sizes. */
export function checkKeyValues(schema: KeySchema, key: Item): void {
  for (const { name, type } of attributesOfKey(schema)) {
    const value = key[name];
    if (value === undefined || typeOf(value) !== type) throw keyMismatch();
  }
  checkKeySizes(schema, key);
}

/** @throws ValidationException when an item to be put lacks a key attribute or has it empty. */
export function checkItemHasKey(schema: KeySchema, item: Item): void {
  for (const { name } of attributesOfKey(schema)) {
    if (item[name] === undefined) throw validationException(`${INVALID}Missing the key ${name} in the item`);
  }
  checkNotEmpty(schema, item);
}

/** @throws ValidationException when an item to be put has its key in another type or too long. */
export function checkItemKeyValues(schema: KeySchema, item: Item): void {
  for (const { name, type } of attributesOfKey(schema)) {
    const value = item[name];
    if (value !== undefined && typeOf(value) !== type) {
      throw validationException(`${INVALID}Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`);
    }
  }
  checkKeySizes(schema, item);
}

/** One key value as text; equal texts are equal values. */
export function encodeKeyValue(value: AttributeValue | undefined): string {
  if (value?.B !== undefined) return `B${Buffer.from(value.B).toString('base64')}`;
  return value?.N === undefined ? `S${value?.S}` : `N${value.N}`;
}

/** An item's key as text, for use in a map. */
export const encodeKey = (schema: KeySchema, item: Item): string =>
  JSON.stringify(attributesOfKey(schema).map(({ name }) => encodeKeyValue(item[name])));
