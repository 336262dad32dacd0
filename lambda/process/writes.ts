import { type AttributeValue, encodeItem } from '../core/attribute-value.ts';
import { OncehookError } from '../core/errors.ts';
import type { TransactWriteItem } from '../core/handler.ts';
import type { EncodedWrite } from '../core/ports.ts';

/** The key attributes of a table, where they are known: the user's own tables are, imported ones are not. */
export type KeysOf = (table: string) => readonly string[] | undefined;

export const invalidWork = (message: string): OncehookError =>
  new OncehookError('INVALID_WORK', message, { retryable: false });

const OPERATIONS = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const;

/** A table's name, also where its ARN was given. */
const tableName = (nameOrArn: string): string => nameOrArn.replace(/^arn:[^/]*:table\//, '');

/**
 * The writes of one handler, in the form in which they will be sent: what the handler does to its
 * objects afterwards changes nothing. Refuses at once what DynamoDB would refuse for the whole
 * transaction, so that the error points at the line that asked for it.
 */
export function createWrites(
  reservedTables: readonly string[],
  keysOf: KeysOf,
): { add(item: TransactWriteItem): void; readonly items: readonly EncodedWrite[] } {
  const items: EncodedWrite[] = [];
  return {
    items,
    add(item) {
      const write = encodeWrite(item);
      const table = tableName(write.table);
      if (reservedTables.includes(table)) {
        throw invalidWork(`work.write: table ${table} is Oncehook's own; use work.emit for messages`);
      }
      if (items.some((other) => isSameItem(write, other, keysOf))) {
        throw invalidWork(
          `work.write: a second write to one item of table ${table} (key ${keyNames(write, keysOf)}); a transaction takes one write an item`,
        );
      }
      items.push(write);
    },
  };
}

function encodeWrite(item: TransactWriteItem): EncodedWrite {
  const named = OPERATIONS.filter((operation) => item[operation] !== undefined);
  const [operation] = named;
  const write = operation === undefined ? undefined : item[operation];
  if (operation === undefined || write === undefined || named.length > 1) {
    throw invalidWork(`work.write takes exactly one of ${OPERATIONS.join(', ')}`);
  }
  const table = write.TableName ?? '';
  if (table === '') throw invalidWork(`work.write: ${operation} has no TableName`);
  const part = operation === 'Put' ? 'Item' : 'Key';
  const given = operation === 'Put' ? item.Put?.Item : item[operation]?.Key;
  if (given === undefined || Object.keys(given).length === 0) {
    throw invalidWork(`work.write: ${operation} on ${table} has no ${part}`);
  }
  try {
    const attributes = encodeItem(given, part);
    const values = write.ExpressionAttributeValues;
    return {
      operation,
      table,
      attributes,
      // Every condition returns the old item, whatever the handler asked for.
      input: {
        ...write,
        [part]: attributes,
        ...(values === undefined ? {} : { ExpressionAttributeValues: encodeItem(values, 'ExpressionAttributeValues') }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    };
  } catch (error) {
    if (!(error instanceof OncehookError)) throw error;
    throw invalidWork(`work.write: ${operation} on ${table}: ${error.message}`);
  }
}

// A Put does not say which of its attributes are the key. It is known from the table's definition,
// or from another write to the table that has a Key. Two Puts to a table nobody knows are left to DynamoDB.
function keyNamesOf(write: EncodedWrite, other: EncodedWrite, keysOf: KeysOf): readonly string[] | undefined {
  if (write.operation !== 'Put') return Object.keys(write.attributes);
  if (other.operation !== 'Put') return Object.keys(other.attributes);
  return keysOf(tableName(write.table));
}

function isSameItem(write: EncodedWrite, other: EncodedWrite, keysOf: KeysOf): boolean {
  if (tableName(write.table) !== tableName(other.table)) return false;
  const names = keyNamesOf(write, other, keysOf);
  return names?.every((name) => isSameKey(write.attributes[name], other.attributes[name])) ?? false;
}

const keyNames = ({ operation, table, attributes }: EncodedWrite, keysOf: KeysOf): string =>
  (keysOf(tableName(table)) ?? (operation === 'Put' ? ['unknown'] : Object.keys(attributes))).join(', ');

// A key is a text, a number or bytes.
function isSameKey(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if ('S' in one && 'S' in other) return one.S === other.S;
  if ('N' in one && 'N' in other) return one.N === other.N;
  return 'B' in one && 'B' in other && Buffer.from(one.B).equals(other.B);
}
