import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { assertNever } from '../../../lambda/core/assert-never.ts';
import { type Item, typeOf } from './attribute-value.ts';
import { isEqual, orderOf } from './comparison.ts';
import { valueAt } from './document-path.ts';
import type { Comparator, Condition, Operand } from './expression.ts';

/** What `size()` is of a value; `undefined` for types that have none. */
function sizeOf(value: AttributeValue): number | undefined {
  if (value.S !== undefined) return value.S.length;
  if (value.B !== undefined) return value.B.length;
  if (value.M !== undefined) return Object.keys(value.M).length;
  return (value.L ?? value.SS ?? value.NS ?? value.BS)?.length;
}

function resolve(operand: Operand, item: Item): AttributeValue | undefined {
  switch (operand.kind) {
    case 'path':
      return valueAt(item, operand.path);
    case 'value':
      return operand.value;
    case 'size': {
      const value = resolve(operand.of, item);
      const size = value === undefined ? undefined : sizeOf(value);
      return size === undefined ? undefined : { N: String(size) };
    }
    default:
      return assertNever(operand);
  }
}

function holds(comparator: Comparator, left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (comparator === '<>') return left === undefined || right === undefined || !isEqual(left, right);
  if (left === undefined || right === undefined) return false;
  if (comparator === '=') return isEqual(left, right);
  const order = orderOf(left, right);
  if (order === undefined) return false;
  switch (comparator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return assertNever(comparator);
  }
}

function beginsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (value?.S !== undefined && prefix?.S !== undefined) return value.S.startsWith(prefix.S);
  if (value?.B === undefined || prefix?.B === undefined) return false;
  return Buffer.compare(value.B.subarray(0, prefix.B.length), prefix.B) === 0;
}

function contains(value: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (value === undefined || part === undefined) return false;
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
  if (value.B !== undefined) return part.B !== undefined && Buffer.from(value.B).includes(Buffer.from(part.B));
  if (value.SS !== undefined) return part.S !== undefined && value.SS.includes(part.S);
  if (value.NS !== undefined) return value.NS.some((member) => isEqual({ N: member }, part));
  if (value.BS !== undefined) return value.BS.some((member) => isEqual({ B: member }, part));
  return value.L?.some((element) => isEqual(element, part)) ?? false;
}

/** Whether an item meets a condition; a missing item is one without attributes. */
export function evaluate(condition: Condition, item: Item): boolean {
  switch (condition.kind) {
    case 'and':
      return evaluate(condition.left, item) && evaluate(condition.right, item);
    case 'or':
      return evaluate(condition.left, item) || evaluate(condition.right, item);
    case 'not':
      return !evaluate(condition.condition, item);
    case 'compare':
      return holds(condition.comparator, resolve(condition.left, item), resolve(condition.right, item));
    case 'between': {
      const value = resolve(condition.operand, item);
      return holds('>=', value, resolve(condition.lower, item)) && holds('<=', value, resolve(condition.upper, item));
    }
    case 'in': {
      const value = resolve(condition.operand, item);
      return condition.among.some((candidate) => holds('=', value, resolve(candidate, item)));
    }
    case 'exists':
      return valueAt(item, condition.path) !== undefined;
    case 'not-exists':
      return valueAt(item, condition.path) === undefined;
    case 'attribute-type': {
      const value = resolve(condition.operand, item);
      return value !== undefined && typeOf(value) === resolve(condition.type, item)?.S;
    }
    case 'begins-with':
      return beginsWith(resolve(condition.operand, item), resolve(condition.prefix, item));
    case 'contains':
      return contains(resolve(condition.operand, item), resolve(condition.part, item));
    default:
      return assertNever(condition);
  }
}

/** The top-level attributes a condition reads. */
export function attributesOf(condition: Condition): readonly string[] {
  const ofOperand = (operand: Operand): readonly string[] => {
    if (operand.kind === 'size') return ofOperand(operand.of);
    return operand.kind === 'path' ? [String(operand.path[0])] : [];
  };
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...attributesOf(condition.left), ...attributesOf(condition.right)];
    case 'not':
      return attributesOf(condition.condition);
    case 'compare':
      return [condition.left, condition.right].flatMap(ofOperand);
    case 'between':
      return [condition.operand, condition.lower, condition.upper].flatMap(ofOperand);
    case 'in':
      return [condition.operand, ...condition.among].flatMap(ofOperand);
    case 'exists':
    case 'not-exists':
      return [String(condition.path[0])];
    case 'attribute-type':
      return ofOperand(condition.operand);
    case 'begins-with':
      return [condition.operand, condition.prefix].flatMap(ofOperand);
    case 'contains':
      return [condition.operand, condition.part].flatMap(ofOperand);
    default:
      return assertNever(condition);
  }
}
