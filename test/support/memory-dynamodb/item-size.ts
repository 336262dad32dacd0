import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';
import { parseDecimal } from './decimal.ts';

/**
 * Bytes of the largest item, names and values together.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export const MAX_ITEM_BYTES = 409_600;

/** Fixed bytes of a list or map. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const DOCUMENT_BYTES = 3;
/** Bytes each element adds to its list or map. Same source. */
const ELEMENT_BYTES = 1;

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** Two digits to a byte, aligned at the decimal point, one byte for the magnitude and one for a minus sign. */
function numberSize(text: string): number {
  const { coefficient, exponent } = parseDecimal(text);
  if (coefficient === 0n) return 1;
  const negative = coefficient < 0n;
  const digits = (negative ? -coefficient : coefficient).toString().length + (exponent % 2 === 0 ? 0 : 1);
  return 1 + Math.ceil(digits / 2) + (negative ? 1 : 0);
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.length;
  if (value.SS !== undefined) return sum(value.SS.map((member) => Buffer.byteLength(member)));
  if (value.NS !== undefined) return sum(value.NS.map(numberSize));
  if (value.BS !== undefined) return sum(value.BS.map((member) => member.length));
  if (value.L !== undefined) return DOCUMENT_BYTES + sum(value.L.map((element) => ELEMENT_BYTES + valueSize(element)));
  if (value.M !== undefined) {
    return DOCUMENT_BYTES + ELEMENT_BYTES * Object.keys(value.M).length + itemSize(value.M);
  }
  return 1;
}

/** Bytes the service counts for an item: UTF-8 attribute names plus values. */
export function itemSize(item: Item): number {
  return sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));
}
