import { OncehookError } from '../core/errors.ts';
import type { TransactWriteItem } from '../core/handler.ts';
import { findUnstorable } from '../core/storable.ts';

/** The key attributes of a table, where they are known: the user's own tables are, imported ones are not. */
export type KeysOf = (table: string) => readonly string[] | undefined;

export const invalidWork = (message: string): OncehookError =>
  new OncehookError('INVALID_WORK', message, { retryable: false });

const OPERATIONS = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const;

/** One write, read: which table, and the attributes that hold or contain its key. */
interface Target {
  readonly table: string;
  /** A `Put`'s whole item, or the key of the others. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isPut: boolean;
}

/** A table's name, also where its ARN was given. */
export const tableName = (nameOrArn: string): string => nameOrArn.replace(/^arn:[^/]*:table\//, '');

/**
 * The writes of one handler. Refuses at once what DynamoDB would refuse for the whole transaction,
 * so that the error points at the line that asked for it.
 */
export function createWrites(
  reservedTables: readonly string[],
  keysOf: KeysOf,
): { add(item: TransactWriteItem): void; readonly items: readonly TransactWriteItem[] } {
  const items: TransactWriteItem[] = [];
  const targets: Target[] = [];
  return {
    items,
    add(item) {
      const target = targetOf(item);
      if (reservedTables.includes(target.table)) {
        throw invalidWork(`work.write: table ${target.table} is Oncehook's own; use work.emit for messages`);
      }
      if (targets.some((other) => isSameItem(target, other, keysOf))) {
        throw invalidWork(
          `work.write: a second write to one item of table ${target.table} (key ${keyNames(target, keysOf)}); a transaction takes one write an item`,
        );
      }
      targets.push(target);
      items.push(item);
    },
  };
}

function targetOf(item: TransactWriteItem): Target {
  const named = OPERATIONS.filter((operation) => item[operation] !== undefined);
  const [operation] = named;
  if (operation === undefined || named.length > 1)
    throw invalidWork(`work.write takes exactly one of ${OPERATIONS.join(', ')}`);

  const write = item[operation];
  const table = write?.TableName ?? '';
  if (table === '') throw invalidWork(`work.write: ${operation} has no TableName`);
  const attributes = operation === 'Put' ? item.Put?.Item : item[operation]?.Key;
  if (attributes === undefined || Object.keys(attributes).length === 0) {
    throw invalidWork(`work.write: ${operation} on ${table} has no ${operation === 'Put' ? 'Item' : 'Key'}`);
  }
  const problem =
    findUnstorable(attributes, 'attribute', operation === 'Put' ? 'Item' : 'Key') ??
    findUnstorable(write?.ExpressionAttributeValues ?? {}, 'attribute', 'ExpressionAttributeValues');
  if (problem !== undefined) throw invalidWork(`work.write: ${operation} on ${table}: ${problem}`);
  return { table: tableName(table), attributes, isPut: operation === 'Put' };
}

// A Put does not say which of its attributes are the key. It is known from the table's definition,
// or from another write to the table that has a Key. Two Puts to a table nobody knows are left to DynamoDB.
function keyNamesOf(target: Target, other: Target, keysOf: KeysOf): readonly string[] | undefined {
  if (!target.isPut) return Object.keys(target.attributes);
  if (!other.isPut) return Object.keys(other.attributes);
  return keysOf(target.table);
}

function isSameItem(target: Target, other: Target, keysOf: KeysOf): boolean {
  if (target.table !== other.table) return false;
  const names = keyNamesOf(target, other, keysOf);
  return names?.every((name) => keyText(target.attributes[name]) === keyText(other.attributes[name])) ?? false;
}

const keyNames = (target: Target, keysOf: KeysOf): string =>
  (keysOf(target.table) ?? (target.isPut ? ['unknown'] : Object.keys(target.attributes))).join(', ');

// A key is a string, a number or bytes; 1, 1n and a NumberValue of 1 are one number.
function keyText(value: unknown): string {
  if (typeof value === 'string') return `S:${value}`;
  if (value instanceof Uint8Array) return `B:${Buffer.from(value).toString('base64')}`;
  return `N:${String(value)}`;
}
