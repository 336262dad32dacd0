import type { AttributeValue, Item } from './attribute-value.ts';

/**
 * Bytes that DynamoDB counts for a value; numbers are taken at their largest.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function sizeOfValue(value: AttributeValue): number {
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('N' in value) return sizeOfNumber(value.N);
  if ('B' in value) return value.B.byteLength;
  if ('L' in value) return sum(value.L.map((member) => sizeOfValue(member) + 1)) + 3;
  if ('M' in value) return sizeOfItem(value.M) + Object.keys(value.M).length + 3;
  if ('SS' in value) return sum(value.SS.map((member) => Buffer.byteLength(member)));
  if ('NS' in value) return sum(value.NS.map(sizeOfNumber));
  if ('BS' in value) return sum(value.BS.map((member) => member.byteLength));
  return 1;
}

/** Bytes of all names and values. */
export const sizeOfItem = (item: Item): number =>
  sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + sizeOfValue(value)));

const sizeOfNumber = (text: string): number => Math.ceil(text.length / 2) + 1;
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
