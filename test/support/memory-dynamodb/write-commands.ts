import type {
  DeleteItemCommandInput,
  PutItemCommandInput,
  ReturnValue,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { assertNever } from '../../../lambda/core/assert-never.ts';
import { copyItem, type Item } from './attribute-value.ts';
import { project } from './document-path.ts';
import { conditionalCheckFailed, validationException } from './errors.ts';
import { refuseUnknown } from './parameters.ts';
import type { Tables } from './table.ts';
import { conditionHolds, currentItem, prepareDelete, preparePut, prepareUpdate, store, type Write } from './write.ts';

interface WriteOutput {
  readonly Attributes?: ReturnType<typeof copyItem>;
}

const CONDITIONAL_PARAMETERS = [
  'TableName',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValues',
  'ReturnValuesOnConditionCheckFailure',
];

function returned(wanted: ReturnValue, paths: Write['paths'], old: Item | undefined, now: Item | undefined): Item {
  switch (wanted) {
    case 'NONE':
      return {};
    case 'ALL_OLD':
      return old ?? {};
    case 'ALL_NEW':
      return now ?? {};
    case 'UPDATED_OLD':
      return project(old ?? {}, paths);
    case 'UPDATED_NEW':
      return project(now ?? {}, paths);
    default:
      return assertNever(wanted);
  }
}

function runWrite(write: Write, wanted: ReturnValue): WriteOutput {
  write.check();
  const old = currentItem(write);
  if (!conditionHolds(write)) {
    throw conditionalCheckFailed(write.showsOld && old !== undefined ? copyItem(old) : undefined);
  }
  const now = write.next(old);
  store(write, now);
  const attributes = returned(wanted, write.paths, old, now);
  return Object.keys(attributes).length === 0 ? {} : { Attributes: copyItem(attributes) };
}

function allOldOrNone(wanted: ReturnValue | undefined): ReturnValue {
  if (wanted === undefined || wanted === 'NONE' || wanted === 'ALL_OLD') return wanted ?? 'NONE';
  throw validationException('Return values set to invalid value');
}

export function putItem(tables: Tables, input: PutItemCommandInput): WriteOutput {
  refuseUnknown('PutItem', input, [...CONDITIONAL_PARAMETERS, 'Item']);
  return runWrite(preparePut(tables, input), allOldOrNone(input.ReturnValues));
}

export function deleteItem(tables: Tables, input: DeleteItemCommandInput): WriteOutput {
  refuseUnknown('DeleteItem', input, [...CONDITIONAL_PARAMETERS, 'Key']);
  return runWrite(prepareDelete(tables, input), allOldOrNone(input.ReturnValues));
}

export function updateItem(tables: Tables, input: UpdateItemCommandInput): WriteOutput {
  refuseUnknown('UpdateItem', input, [...CONDITIONAL_PARAMETERS, 'Key', 'UpdateExpression']);
  return runWrite(prepareUpdate(tables, input), input.ReturnValues ?? 'NONE');
}
