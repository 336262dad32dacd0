import type {
  AttributeDefinition,
  CreateTableCommandInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
} from '@aws-sdk/client-dynamodb';
import { type Item, typeOf } from './attribute-value.ts';
import { NotModelled, resourceNotFound, validationException } from './errors.ts';
import { attributesOfKey, checkKeySizes, type KeyAttribute, type KeySchema } from './key-schema.ts';
import { refuseUnknown } from './parameters.ts';

export interface Index {
  readonly name: string;
  readonly schema: KeySchema;
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export interface Table {
  readonly name: string;
  readonly schema: KeySchema;
  readonly indexes: readonly Index[];
  /** Current items by encoded key. Items are replaced, never changed. */
  readonly rows: Map<string, Item>;
}

export type Tables = ReadonlyMap<string, Table>;

const KNOWN_PARAMETERS = [
  'TableName',
  'KeySchema',
  'AttributeDefinitions',
  'GlobalSecondaryIndexes',
  // Neither capacity nor streams are modelled, and neither changes what a request answers.
  'BillingMode',
  'ProvisionedThroughput',
  'StreamSpecification',
];

function readKeySchema(
  elements: readonly KeySchemaElement[] | undefined,
  definitions: readonly AttributeDefinition[],
): KeySchema {
  const find = (keyType: 'HASH' | 'RANGE'): KeyAttribute | undefined => {
    const name = elements?.find((element) => element.KeyType === keyType)?.AttributeName;
    if (name === undefined) return undefined;
    const type = definitions.find((definition) => definition.AttributeName === name)?.AttributeType;
    if (type !== 'S' && type !== 'N' && type !== 'B') {
      throw validationException(
        `One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. ` +
          `Keys: [${name}]`,
      );
    }
    return { name, type };
  };
  const partition = find('HASH');
  if (partition === undefined)
    throw validationException('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  return { partition, sort: find('RANGE') };
}

function readIndex(index: GlobalSecondaryIndex, definitions: readonly AttributeDefinition[]): Index {
  refuseUnknown('GlobalSecondaryIndex', index, ['IndexName', 'KeySchema', 'Projection', 'ProvisionedThroughput']);
  const projection = index.Projection?.ProjectionType;
  if (projection !== 'ALL' && projection !== 'KEYS_ONLY') throw new NotModelled(`an index projection of ${projection}`);
  if (index.IndexName === undefined) throw validationException('IndexName must not be null');
  return { name: index.IndexName, schema: readKeySchema(index.KeySchema, definitions), projection };
}

export function readTable(input: CreateTableCommandInput): Table {
  refuseUnknown('CreateTable', input, KNOWN_PARAMETERS);
  if (input.TableName === undefined) throw validationException('TableName must not be null');
  const definitions = input.AttributeDefinitions ?? [];
  return {
    name: input.TableName,
    schema: readKeySchema(input.KeySchema, definitions),
    indexes: (input.GlobalSecondaryIndexes ?? []).map((index) => readIndex(index, definitions)),
    rows: new Map(),
  };
}

/** @throws ResourceNotFoundException */
export function findTable(tables: Tables, name: string | undefined): Table {
  const table = name === undefined ? undefined : tables.get(name);
  if (table === undefined) throw resourceNotFound();
  return table;
}

/** Refuses values that an index could not hold; an item without the attribute is just not in that index. */
export function checkIndexKeys(table: Table, item: Item, writtenBy: 'put' | 'update'): void {
  for (const index of table.indexes) {
    for (const { name, type } of attributesOfKey(index.schema)) {
      const value = item[name];
      if (value === undefined || typeOf(value) === type) continue;
      throw validationException(
        writtenBy === 'update'
          ? 'The update expression attempted to update the secondary index key to unsupported type'
          : `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} ` +
              `Actual: ${typeOf(value)} IndexName: ${index.name}`,
      );
    }
    checkKeySizes(index.schema, item);
  }
}
