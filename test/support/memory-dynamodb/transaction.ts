import type { CancellationReason, TransactWriteItem, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { copyItem, type Item } from './attribute-value.ts';
import { isValidationException, transactionCanceled, validationException } from './errors.ts';
import { itemSize } from './item-size.ts';
import { refuseUnknown } from './parameters.ts';
import type { Tables } from './table.ts';
import {
  conditionHolds,
  currentItem,
  prepareCheck,
  prepareDelete,
  preparePut,
  prepareUpdate,
  store,
  type Write,
} from './write.ts';

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const MAX_TRANSACTION_ITEMS = 100;
/** Bytes of all items of one transaction. Same source. */
export const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;

const CONDITIONAL_PARAMETERS = [
  'TableName',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
];

function prepare(tables: Tables, action: TransactWriteItem): Write {
  refuseUnknown('TransactWriteItem', action, ['Put', 'Update', 'Delete', 'ConditionCheck']);
  const { Put: put, Update: update, Delete: remove, ConditionCheck: check } = action;
  if ([put, update, remove, check].filter((one) => one !== undefined).length !== 1) {
    throw validationException('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  if (put !== undefined) {
    refuseUnknown('Put', put, [...CONDITIONAL_PARAMETERS, 'Item']);
    return preparePut(tables, put);
  }
  if (update !== undefined) {
    refuseUnknown('Update', update, [...CONDITIONAL_PARAMETERS, 'Key', 'UpdateExpression']);
    if (update.UpdateExpression === undefined) throw validationException('UpdateExpression must not be null');
    return prepareUpdate(tables, update);
  }
  if (remove !== undefined) {
    refuseUnknown('Delete', remove, [...CONDITIONAL_PARAMETERS, 'Key']);
    return prepareDelete(tables, remove);
  }
  refuseUnknown('ConditionCheck', check ?? {}, [...CONDITIONAL_PARAMETERS, 'Key']);
  return prepareCheck(tables, check ?? {});
}

function checkDistinct(writes: readonly Write[]): void {
  const targets = new Set(writes.map((write) => JSON.stringify([write.table.name, write.key])));
  if (targets.size < writes.length) {
    throw validationException('Transaction request cannot include multiple operations on one item');
  }
}

type Trial =
  | { readonly kind: 'passed'; readonly write: Write; readonly item: Item | undefined }
  | { readonly kind: 'refused'; readonly reason: CancellationReason };

function attempt(write: Write): Trial {
  const old = currentItem(write);
  try {
    write.check();
    if (!conditionHolds(write)) {
      const reason = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
      const shown = write.showsOld && old !== undefined ? { Item: copyItem(old) } : {};
      return { kind: 'refused', reason: { ...reason, ...shown } };
    }
    return { kind: 'passed', write, item: write.next(old) };
  } catch (error) {
    if (!isValidationException(error)) throw error;
    return { kind: 'refused', reason: { Code: 'ValidationError', Message: error.message } };
  }
}

/**
 * Tries every action on the current items and stores the results only if all pass.
 * @throws TransactionCanceledException with one reason per action, in order, when any of them is refused.
 */
export function transactWriteItems(tables: Tables, input: TransactWriteItemsCommandInput): void {
  refuseUnknown('TransactWriteItems', input, ['TransactItems', 'ClientRequestToken']);
  const actions = input.TransactItems ?? [];
  if (actions.length < 1 || actions.length > MAX_TRANSACTION_ITEMS) {
    throw validationException(
      `Value at 'transactItems' failed to satisfy constraint: Member must have length from 1 to ${MAX_TRANSACTION_ITEMS}`,
    );
  }
  const writes = actions.map((action) => prepare(tables, action));
  checkDistinct(writes);

  const trials = writes.map(attempt);
  const passed = trials.filter((trial) => trial.kind === 'passed');
  if (passed.length < trials.length) {
    throw transactionCanceled(trials.map((trial) => (trial.kind === 'passed' ? { Code: 'None' } : trial.reason)));
  }
  const bytes = passed.reduce((total, { item }) => total + (item === undefined ? 0 : itemSize(item)), 0);
  if (bytes > MAX_TRANSACTION_BYTES) {
    throw validationException('Collection size of all items in the transaction has exceeded the limit of 4 MB');
  }
  for (const { write, item } of passed) store(write, item);
}
