import type {
  ConditionCheck,
  Delete,
  Put,
  ReturnValuesOnConditionCheckFailure,
  Update,
} from '@aws-sdk/client-dynamodb';
import { type Item, readItem } from './attribute-value.ts';
import { evaluate } from './condition.ts';
import { validationException } from './errors.ts';
import type { Condition, Path } from './expression.ts';
import { itemSize, MAX_ITEM_BYTES } from './item-size.ts';
import {
  attributesOfKey,
  checkItemHasKey,
  checkItemKeyValues,
  checkKeyNames,
  checkKeyValues,
  checkNotEmpty,
  encodeKey,
} from './key-schema.ts';
import { parseExpressions } from './parse-expressions.ts';
import { checkIndexKeys, findTable, type Table, type Tables } from './table.ts';
import { applyUpdate } from './update.ts';

/** One checked write, ready to be tried on the current item. */
export interface Write {
  readonly table: Table;
  readonly key: string;
  /**
   * Compares the request with the table's schema. Within a transaction a failure here is a cancellation reason.
   * @throws ValidationException
   */
  readonly check: () => void;
  readonly condition: Condition | undefined;
  /** Whether a failed condition returns the current item. */
  readonly showsOld: boolean;
  /** Paths an update names, for `UPDATED_OLD` and `UPDATED_NEW`. */
  readonly paths: readonly Path[];
  /**
   * The item after the write, `undefined` for none.
   * @throws ValidationException for what only shows on the current item.
   */
  readonly next: (old: Item | undefined) => Item | undefined;
}

type Conditional = { readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure | undefined };

function showsOldOf({ ReturnValuesOnConditionCheckFailure: wanted }: Conditional): boolean {
  if (wanted !== undefined && wanted !== 'NONE' && wanted !== 'ALL_OLD') {
    throw validationException(`ReturnValuesOnConditionCheckFailure can not be ${String(wanted)}`);
  }
  return wanted === 'ALL_OLD';
}

function readKey(table: Table, key: Item | undefined): Item {
  if (key === undefined) throw validationException('Key must not be null');
  const read = readItem(key);
  checkKeyNames(table.schema, read);
  return read;
}

function targetOf(table: Table, raw: Item | undefined): Pick<Write, 'table' | 'key' | 'check'> {
  const key = readKey(table, raw);
  return { table, key: encodeKey(table.schema, key), check: () => checkKeyValues(table.schema, key) };
}

export function preparePut(tables: Tables, input: Partial<Put>): Write {
  const { condition } = parseExpressions(input);
  if (input.Item === undefined) throw validationException('Item must not be null');
  const item = readItem(input.Item);
  if (itemSize(item) > MAX_ITEM_BYTES) throw validationException('Item size has exceeded the maximum allowed size');
  const table = findTable(tables, input.TableName);
  checkItemHasKey(table.schema, item);
  for (const index of table.indexes) checkNotEmpty(index.schema, item);
  const check = (): void => {
    checkItemKeyValues(table.schema, item);
    checkIndexKeys(table, item, 'put');
  };
  const key = encodeKey(table.schema, item);
  return { table, key, check, condition, showsOld: showsOldOf(input), paths: [], next: () => item };
}

export function prepareUpdate(tables: Tables, input: Partial<Update>): Write {
  const { condition, update } = parseExpressions(input);
  const table = findTable(tables, input.TableName);
  const key = readKey(table, input.Key);
  const paths = update.map((action) => action.path);
  const check = (): void => {
    checkKeyValues(table.schema, key);
    const inKey = attributesOfKey(table.schema).find(({ name }) => paths.some((path) => path[0] === name));
    if (inKey === undefined) return;
    throw validationException(
      `One or more parameter values were invalid: Cannot update attribute ${inKey.name}. This attribute is part of the key`,
    );
  };
  const next = (old: Item | undefined): Item => {
    const item = applyUpdate(old ?? key, update);
    if (itemSize(item) > MAX_ITEM_BYTES) {
      throw validationException('Item size to update has exceeded the maximum allowed size');
    }
    // Nested paths can make an item deeper than any single value of the request.
    readItem(item);
    checkIndexKeys(table, item, 'update');
    for (const index of table.indexes) checkNotEmpty(index.schema, item);
    return item;
  };
  return { table, key: encodeKey(table.schema, key), check, condition, showsOld: showsOldOf(input), paths, next };
}

export function prepareDelete(tables: Tables, input: Partial<Delete>): Write {
  const { condition } = parseExpressions(input);
  const table = findTable(tables, input.TableName);
  return { ...targetOf(table, input.Key), condition, showsOld: showsOldOf(input), paths: [], next: () => undefined };
}

export function prepareCheck(tables: Tables, input: Partial<ConditionCheck>): Write {
  const { condition } = parseExpressions(input);
  if (condition === undefined) throw validationException('ConditionExpression must not be null');
  const table = findTable(tables, input.TableName);
  return { ...targetOf(table, input.Key), condition, showsOld: showsOldOf(input), paths: [], next: (old) => old };
}

export const currentItem = (write: Write): Item | undefined => write.table.rows.get(write.key);

export const conditionHolds = (write: Write): boolean =>
  write.condition === undefined || evaluate(write.condition, currentItem(write) ?? {});

export function store(write: Write, item: Item | undefined): void {
  if (item === undefined) write.table.rows.delete(write.key);
  else write.table.rows.set(write.key, item);
}
