import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compareDecimals, parseDecimal } from './decimal.ts';

const compareNumbers = (left: string, right: string): number =>
  compareDecimals(parseDecimal(left), parseDecimal(right));

const sameMembers = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((member) => right.includes(member));

const base64 = (raw: Uint8Array): string => Buffer.from(raw).toString('base64');

/**
 * Order of two values of one ordered type: numbers by value, strings by their UTF-8 bytes, binary by unsigned bytes.
 * `undefined` when the types differ or have no order.
 */
export function orderOf(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.N !== undefined && right.N !== undefined) return compareNumbers(left.N, right.N);
  if (left.S !== undefined && right.S !== undefined) return Buffer.compare(Buffer.from(left.S), Buffer.from(right.S));
  if (left.B !== undefined && right.B !== undefined) return Buffer.compare(left.B, right.B);
  return undefined;
}

/** Whether two values are the same to `=`: same type and content; sets without regard to order. */
export function isEqual(left: AttributeValue, right: AttributeValue): boolean {
  const order = orderOf(left, right);
  if (order !== undefined) return order === 0;
  if (left.BOOL !== undefined) return left.BOOL === right.BOOL;
  if (left.NULL !== undefined) return left.NULL === right.NULL;
  if (left.SS !== undefined) return right.SS !== undefined && sameMembers(left.SS, right.SS);
  if (left.NS !== undefined) return right.NS !== undefined && sameMembers(left.NS, right.NS);
  if (left.BS !== undefined) return right.BS !== undefined && sameMembers(left.BS.map(base64), right.BS.map(base64));
  if (left.L !== undefined) return right.L !== undefined && isEqualList(left.L, right.L);
  if (left.M !== undefined) return right.M !== undefined && isEqualMap(left.M, right.M);
  return false;
}

function isEqualList(left: readonly AttributeValue[], right: readonly AttributeValue[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((element, index) => {
    const other = right[index];
    return other !== undefined && isEqual(element, other);
  });
}

function isEqualMap(left: Record<string, AttributeValue>, right: Record<string, AttributeValue>): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const one = left[name];
    const other = right[name];
    return one !== undefined && other !== undefined && isEqual(one, other);
  });
}
