import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { inject } from 'vitest';
import { INBOX, OUTBOX, SEQUENCES } from '../../lambda/contract.ts';
import type { Call, CommandName, Interceptor } from './memory-dynamodb/interception.ts';
import { createMemoryDynamoDB } from './memory-dynamodb/memory-dynamodb.ts';

/** Table names of every test. */
export const TABLES = {
  inbox: 'inbox',
  outbox: 'outbox',
  sequences: 'sequences',
  accounts: 'accounts',
  pairs: 'pairs',
} as const;
type TableKey = keyof typeof TABLES;

/** A DynamoDB with Oncehook's tables in it, and a hand on every request. */
export interface DynamoStage {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly calls: readonly Call[];
  intercept(interceptor: Interceptor | undefined): void;
  /** All items of a table as plain objects. */
  items(table: TableKey): Promise<readonly Record<string, unknown>[]>;
  /** Items in wire form. */
  rawItems(table: TableKey): Promise<readonly Record<string, AttributeValue>[]>;
  /** Puts an item behind the protocol's back. */
  put(table: TableKey, item: Record<string, unknown>): Promise<void>;
}

const CREATE: readonly CreateTableCommandInput[] = [
  {
    ...keyed(TABLES.inbox, INBOX.partitionKey, [INBOX.attentionAttribute]),
    GlobalSecondaryIndexes: [
      {
        IndexName: INBOX.attentionIndex,
        KeySchema: [{ AttributeName: INBOX.attentionAttribute, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  },
  keyed(TABLES.outbox, OUTBOX.partitionKey),
  keyed(TABLES.sequences, SEQUENCES.partitionKey),
  keyed(TABLES.accounts, 'accountId'),
  {
    ...keyed(TABLES.pairs, 'one', ['two']),
    KeySchema: [
      { AttributeName: 'one', KeyType: 'HASH' },
      { AttributeName: 'two', KeyType: 'RANGE' },
    ],
  },
];

function keyed(name: string, key: string, more: readonly string[] = []): CreateTableCommandInput {
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    AttributeDefinitions: [key, ...more].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  };
}

/** The two that every contract is run over. */
export const dynamoStages: readonly (readonly [string, () => Promise<DynamoStage>])[] = [
  ['DynamoDB Local', createLocalStage],
  ['in-memory DynamoDB', createMemoryStage],
];

export async function createMemoryStage(): Promise<DynamoStage> {
  const memory = createMemoryDynamoDB();
  return stageOn(
    memory,
    () => memory.calls,
    (interceptor) => memory.intercept(interceptor),
  );
}

/** Its own database on the shared server: a database is known by the access key. */
export async function createLocalStage(): Promise<DynamoStage> {
  const real = new DynamoDBClient({
    endpoint: inject('dynamodbEndpoint'),
    region: 'us-east-1',
    credentials: { accessKeyId: randomUUID().replaceAll('-', ''), secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  const calls: Call[] = [];
  let interceptor: Interceptor | undefined;
  const client = {
    async send(command: { readonly input: object; readonly constructor: { readonly name: string } }): Promise<unknown> {
      const call = { name: command.constructor.name as CommandName, input: structuredClone(command.input) };
      calls.push(call);
      const interference = interceptor?.({ ...call, n: calls.length });
      await interference?.wait;
      if (interference?.before !== undefined) throw interference.before;
      const answer = await real.send(command as never);
      if (interference?.after !== undefined) throw interference.after;
      return answer;
    },
  } as Pick<DynamoDBClient, 'send'>;
  return stageOn(
    client,
    () => calls,
    (next) => {
      interceptor = next;
    },
  );
}

async function stageOn(
  client: Pick<DynamoDBClient, 'send'>,
  allCalls: () => readonly Call[],
  intercept: (interceptor: Interceptor | undefined) => void,
): Promise<DynamoStage> {
  for (const table of CREATE) await client.send(new CreateTableCommand(table));
  const setUp = allCalls().length;
  const ownCalls: Call[] = [];
  const rawItems = async (table: TableKey) => {
    const { Items: items = [] } = await client.send(
      new ScanCommand({ TableName: TABLES[table], ConsistentRead: true }),
    );
    return items;
  };
  return {
    client,
    get calls() {
      return allCalls()
        .slice(setUp)
        .filter((call) => call.name !== 'ScanCommand' && !ownCalls.includes(call));
    },
    intercept,
    rawItems,
    items: async (table) => (await rawItems(table)).map((item) => unmarshall(item, { wrapNumbers: exact })),
    async put(table, item) {
      await client.send(new PutItemCommand({ TableName: TABLES[table], Item: marshall(item) }));
      ownCalls.push(...allCalls().slice(-1));
    },
  };
}

const exact = (text: string): number | bigint =>
  Number.isSafeInteger(Number(text)) || !/^-?\d+$/.test(text) ? Number(text) : BigInt(text);
