import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { typeOf, type ValueType } from './attribute-value.ts';
import { validationException } from './errors.ts';
import type { Assigned, Comparator, Condition, Operand, Path, UpdateAction } from './expression.ts';

type Node = Readonly<Record<string, unknown>>;

const COMPARATORS: readonly Comparator[] = ['=', '<>', '<', '<=', '>', '>='];

const ORDERED: readonly ValueType[] = ['S', 'N', 'B'];

const isNode = (raw: unknown): raw is Node => typeof raw === 'object' && raw !== null && !Array.isArray(raw);

function unreadable(raw: unknown): never {
  throw new Error(`the expression parser returned an unknown node: ${JSON.stringify(raw)}`);
}

const nodeOf = (raw: unknown): Node => (isNode(raw) ? raw : unreadable(raw));

const listOf = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : unreadable(raw));

function pathOf(raw: unknown): Path {
  return listOf(raw).map((segment) =>
    typeof segment === 'string' || typeof segment === 'number' ? segment : unreadable(raw),
  );
}

/** Turns what the parser returns into our own expressions, and fails on every node it does not know. */
export function createTreeReader(valueByOutline: ReadonlyMap<unknown, AttributeValue>) {
  function leafOf(raw: unknown): Extract<Operand, { kind: 'path' | 'value' }> | undefined {
    if (Array.isArray(raw)) return { kind: 'path', path: pathOf(raw) };
    const value = valueByOutline.get(raw);
    return value === undefined ? undefined : { kind: 'value', value };
  }

  function operandOf(raw: unknown): Operand {
    const leaf = leafOf(raw);
    if (leaf !== undefined) return leaf;
    const node = nodeOf(raw);
    if (node['type'] !== 'function' || node['name'] !== 'size') return unreadable(raw);
    return { kind: 'size', of: operandOf(listOf(node['args'])[0]) };
  }

  /** Literals without an order are refused before any item is read. */
  function checkOrdered(operator: string, args: readonly unknown[]): void {
    for (const arg of args) {
      const value = valueByOutline.get(arg);
      if (value === undefined || ORDERED.includes(typeOf(value))) continue;
      throw validationException(
        `Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: ` +
          `${operator}, operand type: ${typeOf(value)}`,
      );
    }
  }

  function functionOf(node: Node): Condition {
    const [first, second] = listOf(node['args']);
    switch (node['name']) {
      case 'attribute_exists':
        return { kind: 'exists', path: pathOf(first) };
      case 'attribute_not_exists':
        return { kind: 'not-exists', path: pathOf(first) };
      case 'attribute_type':
        return { kind: 'attribute-type', operand: operandOf(first), type: operandOf(second) };
      case 'begins_with':
        return { kind: 'begins-with', operand: operandOf(first), prefix: operandOf(second) };
      case 'contains':
        return { kind: 'contains', operand: operandOf(first), part: operandOf(second) };
      default:
        return unreadable(node);
    }
  }

  function conditionOf(raw: unknown): Condition {
    const node = nodeOf(raw);
    const args = listOf(node['args']);
    const comparator = COMPARATORS.find((known) => known === node['type']);
    if (comparator !== undefined) {
      if (comparator !== '=' && comparator !== '<>') checkOrdered(comparator, args);
      return { kind: 'compare', comparator, left: operandOf(args[0]), right: operandOf(args[1]) };
    }
    switch (node['type']) {
      case 'and':
      case 'or':
        return { kind: node['type'], left: conditionOf(args[0]), right: conditionOf(args[1]) };
      case 'not':
        return { kind: 'not', condition: conditionOf(args[0]) };
      case 'between':
        checkOrdered('BETWEEN', args);
        return {
          kind: 'between',
          operand: operandOf(args[0]),
          lower: operandOf(args[1]),
          upper: operandOf(args[2]),
        };
      case 'in':
        return { kind: 'in', operand: operandOf(args[0]), among: args.slice(1).map(operandOf) };
      case 'function':
        return functionOf(node);
      default:
        return unreadable(node);
    }
  }

  function assignedOf(raw: unknown): Assigned {
    const leaf = leafOf(raw);
    if (leaf !== undefined) return leaf;
    const node = nodeOf(raw);
    const [first, second] = listOf(node['args']);
    if (node['type'] === 'add') return { kind: 'plus', left: assignedOf(first), right: assignedOf(second) };
    if (node['type'] === 'subtract') return { kind: 'minus', left: assignedOf(first), right: assignedOf(second) };
    if (node['type'] !== 'function') return unreadable(raw);
    if (node['name'] === 'if_not_exists') {
      return { kind: 'if-not-exists', path: pathOf(first), otherwise: assignedOf(second) };
    }
    if (node['name'] !== 'list_append') return unreadable(raw);
    return { kind: 'list-append', left: assignedOf(first), right: assignedOf(second) };
  }

  function actionOf(raw: unknown): UpdateAction {
    const node = nodeOf(raw);
    const path = pathOf(node['path']);
    switch (node['type']) {
      case 'set':
        return { kind: 'set', path, to: assignedOf(node['val']) };
      case 'remove':
        return { kind: 'remove', path };
      case 'add':
      case 'delete':
        return { kind: node['type'], path, value: valueByOutline.get(node['val']) ?? unreadable(raw) };
      default:
        return unreadable(raw);
    }
  }

  return {
    condition: (raw: unknown): Condition | undefined =>
      raw === undefined ? undefined : conditionOf(nodeOf(raw)['expression']),
    update: (raw: unknown): readonly UpdateAction[] =>
      raw === undefined ? [] : listOf(nodeOf(raw)['sections']).map(actionOf),
    projection: (raw: unknown): readonly Path[] | undefined =>
      raw === undefined ? undefined : listOf(nodeOf(raw)['paths']).map(pathOf),
  };
}
