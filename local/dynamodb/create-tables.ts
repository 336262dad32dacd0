import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { Problem } from '../problem.ts';
import type { TableSpec } from '../template/table-specs.ts';

/**
 * Creates the tables that are not there yet.
 *
 * @throws Problem for one that is there with other keys or indexes.
 */
export async function createTables(client: DynamoDBClient, tables: readonly TableSpec[]): Promise<void> {
  for (const table of tables) {
    const existing = await describeTable(client, table.name);
    if (existing !== undefined) {
      if (shapeOf(existing) !== shapeOf(table.create)) {
        throw new Problem(
          `table ${table.logicalId} was kept from an earlier run with other keys: remove that data, or choose another folder with --data DIR`,
        );
      }
      continue;
    }
    await client.send(new CreateTableCommand(table.create));
    if (table.ttlAttribute === undefined) continue;
    const ttl = { Enabled: true, AttributeName: table.ttlAttribute };
    await client.send(new UpdateTimeToLiveCommand({ TableName: table.name, TimeToLiveSpecification: ttl }));
  }
}

/** Whether a table is there, for one that the stack only imports. */
export const tableExists = async (client: DynamoDBClient, name: string): Promise<boolean> =>
  (await describeTable(client, name)) !== undefined;

async function describeTable(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

interface Shape {
  readonly KeySchema?: readonly KeySchemaElement[] | undefined;
  readonly GlobalSecondaryIndexes?:
    | readonly {
        readonly IndexName?: string | undefined;
        readonly KeySchema?: readonly KeySchemaElement[] | undefined;
      }[]
    | undefined;
}

const shapeOf = (table: Shape): string =>
  JSON.stringify([
    keysOf(table.KeySchema),
    (table.GlobalSecondaryIndexes ?? []).map((index) => [index.IndexName, keysOf(index.KeySchema)]).sort(),
  ]);

const keysOf = (keys: readonly KeySchemaElement[] = []): readonly string[] =>
  keys.map((key) => `${key.KeyType} ${key.AttributeName}`).sort();
