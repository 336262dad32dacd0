import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';
import { orderOf } from './comparison.ts';
import { validationException } from './errors.ts';
import { attributesOfKey, encodeKeyValue, type KeySchema } from './key-schema.ts';
import type { Table } from './table.ts';

/** A table or one of its indexes, as Query and Scan see it. */
export interface View {
  readonly schema: KeySchema;
  /** Names of the attributes that can be seen, or `undefined` for all of them. */
  readonly visible: readonly string[] | undefined;
  /** Items in the view's order, all attributes included. */
  readonly items: readonly Item[];
  readonly compare: (left: Item, right: Item) => number;
  /** Names of the attributes that identify an item's place: the view's key and the table's. */
  readonly placeNames: readonly string[];
}

type Place = readonly (string | AttributeValue | undefined)[];

/** Partitions are scattered, so that no test comes to depend on their order. */
function placeIn(schema: KeySchema, item: Item): Place {
  const partition = encodeKeyValue(item[schema.partition.name]);
  const sort = schema.sort === undefined ? [] : [item[schema.sort.name]];
  return [createHash('md5').update(partition).digest('hex'), partition, ...sort];
}

function comparePlaces(left: Place, right: Place): number {
  for (const [index, one] of left.entries()) {
    const other = right[index];
    if (one === undefined || other === undefined) continue;
    const order =
      typeof one === 'string' || typeof other === 'string'
        ? Number(one > other) - Number(one < other)
        : (orderOf(one, other) ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** @throws ValidationException when the table has no such index. */
export function viewOf(table: Table, indexName: string | undefined): View {
  const index = table.indexes.find(({ name }) => name === indexName);
  if (indexName !== undefined && index === undefined) {
    throw validationException(`The table does not have the specified index: ${indexName}`);
  }
  const schema = index?.schema ?? table.schema;
  const schemas = index === undefined ? [schema] : [schema, table.schema];
  const placeNames = [...new Set(schemas.flatMap((one) => attributesOfKey(one).map(({ name }) => name)))];
  const compare = (left: Item, right: Item): number =>
    comparePlaces(
      schemas.flatMap((one) => placeIn(one, left)),
      schemas.flatMap((one) => placeIn(one, right)),
    );
  const names = attributesOfKey(schema).map(({ name }) => name);
  const items = [...table.rows.values()].filter((item) => names.every((name) => item[name] !== undefined));
  const visible = index?.projection === 'KEYS_ONLY' ? placeNames : undefined;
  return { schema, visible, items: items.toSorted(compare), compare, placeNames };
}
