import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { createMemoryDynamoDB } from '../support/memory-dynamodb/memory-dynamodb.ts';
import { conditionCases } from '../support/memory-dynamodb/parity/condition-cases.ts';
import { comparable, outcomeOf } from '../support/memory-dynamodb/parity/outcome.ts';
import {
  type Attributes,
  EVENTS,
  LEDGER,
  type ParityCase,
  parityTables,
} from '../support/memory-dynamodb/parity/parity-case.ts';
import { readCases } from '../support/memory-dynamodb/parity/read-cases.ts';
import { transactionCases } from '../support/memory-dynamodb/parity/transaction-cases.ts';
import { updateCases } from '../support/memory-dynamodb/parity/update-cases.ts';
import { writeCases } from '../support/memory-dynamodb/parity/write-cases.ts';

/*
 * Where DynamoDB Local is known to differ from the service, the store follows the service and the unit tests pin it:
 * - an update that fails on the current item cancels a transaction with the reason ValidationError
 *   (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html); Local refuses the
 *   whole request without reasons, except for the item's size;
 * - an update of a key inside a transaction has one reason per item; Local lists only its own;
 * - an update can not give an index key another type; Local stores it;
 * - numbers come back without zeros at the end, in sets and sums too;
 * - UPDATED_OLD and UPDATED_NEW of a nested path return that path only; Local returns the whole attribute;
 * - an Update in a transaction needs an expression; Local does without.
 */

const endpoint = process.env['ONCEHOOK_TEST_DYNAMODB_ENDPOINT'] ?? (inject('dynamodbEndpoint' as never) as string);

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const MAX_BATCH = 25;

type Client = Pick<DynamoDBClient, 'send'>;

async function allItems(client: Client, table: string): Promise<Attributes[]> {
  const items: Attributes[] = [];
  let start: Attributes | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

/** The outcome of each step, and what the tables hold in the end. */
async function outcomesOn(client: Client, { steps }: ParityCase): Promise<readonly unknown[]> {
  const outcomes: unknown[] = [];
  for (const command of steps) outcomes.push(await outcomeOf(client, command));
  for (const table of [EVENTS, LEDGER]) outcomes.push(comparable(await allItems(client, table), 'Items'));
  return outcomes;
}

async function createTables(client: Client): Promise<void> {
  for (const command of parityTables()) await client.send(command);
}

async function emptyTable(client: Client, table: string, key: readonly string[]): Promise<void> {
  const deletions = (await allItems(client, table)).map((item) => ({
    DeleteRequest: { Key: Object.fromEntries(Object.entries(item).filter(([name]) => key.includes(name))) },
  }));
  for (let start = 0; start < deletions.length; start += MAX_BATCH) {
    const batch = deletions.slice(start, start + MAX_BATCH);
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: batch } }));
  }
}

describe.skipIf(!endpoint)('the in-memory DynamoDB answers as DynamoDB Local', { timeout: 30_000 }, () => {
  // On DynamoDB Local the access key id names a database of its own.
  const local = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: randomUUID().replaceAll('-', ''), secretAccessKey: 'local' },
    maxAttempts: 1,
  });

  beforeAll(() => createTables(local));
  afterEach(async () => {
    await emptyTable(local, EVENTS, ['id']);
    await emptyTable(local, LEDGER, ['account', 'entry']);
  });
  afterAll(() => local.destroy());

  it.for([...conditionCases, ...updateCases, ...writeCases, ...transactionCases, ...readCases])(
    '$title',
    async (parityCase) => {
      const memory = createMemoryDynamoDB();
      await createTables(memory);

      const expected = await outcomesOn(local, parityCase);
      const actual = await outcomesOn(memory, parityCase);

      expect(actual).toEqual(expected);
    },
  );
});
