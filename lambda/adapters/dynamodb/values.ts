import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, NumberValueImpl, unmarshall } from '@aws-sdk/util-dynamodb';

export type Item = Record<string, AttributeValue>;

/**
 * A plain object as an item. Nothing is dropped, emptied or converted on the way: what could not be
 * stored faithfully was refused before by `findUnstorable`.
 */
export const toItem = (value: Readonly<Record<string, unknown>>): Item =>
  marshall(value, { convertEmptyValues: false, removeUndefinedValues: false, convertClassInstanceToMap: false });

/** An item as a plain object; whole numbers beyond 2^53 are `bigint`, other exact decimals stay a `NumberValue`. */
export const fromItem = (item: Item): Record<string, unknown> => unmarshall(item, { wrapNumbers: toExactNumber });

function toExactNumber(text: string): number | bigint | NumberValueImpl {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return String(number) === text ? number : NumberValueImpl.from(text);
}
