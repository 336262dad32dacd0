import type { GetItemCommandInput, QueryCommandInput, ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { copyItem, type Item, readItem } from './attribute-value.ts';
import { attributesOf, evaluate } from './condition.ts';
import { project } from './document-path.ts';
import { validationException } from './errors.ts';
import type { Condition } from './expression.ts';
import { attributesOfKey, checkKeyNames, checkKeyValues, encodeKey } from './key-schema.ts';
import { type Page, readPage } from './page.ts';
import { refuseUnknown } from './parameters.ts';
import { type Expressions, parseExpressions } from './parse-expressions.ts';
import { checkKeyCondition } from './query-key.ts';
import { findTable, type Tables } from './table.ts';
import { type View, viewOf } from './view.ts';

const COLLECTION_PARAMETERS = [
  'TableName',
  'IndexName',
  'FilterExpression',
  'ProjectionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'Limit',
  'ExclusiveStartKey',
  'ConsistentRead',
  'Select',
];

export function getItem(tables: Tables, input: GetItemCommandInput): { readonly Item?: ReturnType<typeof copyItem> } {
  refuseUnknown('GetItem', input, [
    'TableName',
    'Key',
    'ConsistentRead',
    'ProjectionExpression',
    'ExpressionAttributeNames',
  ]);
  const { projection } = parseExpressions(input);
  const table = findTable(tables, input.TableName);
  const key = readItem(input.Key ?? {});
  checkKeyNames(table.schema, key);
  checkKeyValues(table.schema, key);
  const item = table.rows.get(encodeKey(table.schema, key));
  if (item === undefined) return {};
  return { Item: copyItem(projection === undefined ? item : project(item, projection)) };
}

function openView(tables: Tables, input: ScanCommandInput | QueryCommandInput, expressions: Expressions): View {
  const view = viewOf(findTable(tables, input.TableName), input.IndexName);
  if (input.IndexName !== undefined && input.ConsistentRead === true) {
    throw validationException('Consistent reads are not supported on global secondary indexes');
  }
  const isHidden = (name: string): boolean => view.visible !== undefined && !view.visible.includes(name);
  const projected = (expressions.projection ?? []).map((path) => String(path[0]));
  const filtered = expressions.filter === undefined ? [] : attributesOf(expressions.filter);
  const hidden = [...projected, ...filtered].filter(isHidden);
  if (hidden.length > 0) {
    throw validationException(
      `One or more parameter values were invalid: Secondary index ${input.IndexName} does not project one or more ` +
        `attributes: [${hidden.join(', ')}]`,
    );
  }
  return view;
}

function pageOf(
  view: View,
  candidates: readonly Item[],
  input: ScanCommandInput | QueryCommandInput,
  expressions: Expressions,
  backwards: boolean,
): Page {
  return readPage(view, candidates, {
    filter: expressions.filter,
    projection: expressions.projection,
    limit: input.Limit,
    startAfter: input.ExclusiveStartKey,
    select: input.Select,
    backwards,
  });
}

export function scan(tables: Tables, input: ScanCommandInput): Page {
  refuseUnknown('Scan', input, COLLECTION_PARAMETERS);
  const expressions = parseExpressions(input);
  const view = openView(tables, input, expressions);
  return pageOf(view, view.items, input, expressions, false);
}

function checkFilter(view: View, filter: Condition | undefined): void {
  if (filter === undefined) return;
  const key = attributesOfKey(view.schema).find(({ name }) => attributesOf(filter).includes(name));
  if (key !== undefined) {
    throw validationException(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key.name}`,
    );
  }
}

export function query(tables: Tables, input: QueryCommandInput): Page {
  refuseUnknown('Query', input, [...COLLECTION_PARAMETERS, 'KeyConditionExpression', 'ScanIndexForward']);
  const expressions = parseExpressions(input);
  const view = openView(tables, input, expressions);
  const condition = checkKeyCondition(view.schema, expressions.keyCondition);
  checkFilter(view, expressions.filter);
  const candidates = view.items.filter((item) => evaluate(condition, item));
  return pageOf(view, candidates, input, expressions, input.ScanIndexForward === false);
}
