import {
  type AttributeValue,
  CreateTableCommand,
  type DeleteItemCommand,
  type GetItemCommand,
  PutItemCommand,
  type QueryCommand,
  type ScanCommand,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';

export type ParityCommand =
  | PutItemCommand
  | UpdateItemCommand
  | DeleteItemCommand
  | GetItemCommand
  | TransactWriteItemsCommand
  | ScanCommand
  | QueryCommand;

/** Commands sent one after another to an empty database with {@link parityTables}; every answer must be the same. */
export interface ParityCase {
  readonly title: string;
  readonly steps: readonly ParityCommand[];
}

export type Attributes = Record<string, AttributeValue>;

/** Table with a plain key and a sparse keys-only index. */
export const EVENTS = 'events';
/** Table with a numeric sort key and a full index. */
export const LEDGER = 'ledger';

export const parityTables = (): readonly CreateTableCommand[] => [
  new CreateTableCommand({
    TableName: EVENTS,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'attention', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byAttention',
        KeySchema: [{ AttributeName: 'attention', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  }),
  new CreateTableCommand({
    TableName: LEDGER,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'account', KeyType: 'HASH' },
      { AttributeName: 'entry', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'account', AttributeType: 'S' },
      { AttributeName: 'entry', AttributeType: 'N' },
      { AttributeName: 'kind', AttributeType: 'S' },
      { AttributeName: 'atMs', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byKind',
        KeySchema: [
          { AttributeName: 'kind', KeyType: 'HASH' },
          { AttributeName: 'atMs', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  }),
];

export const S = (text: string): AttributeValue => ({ S: text });
export const N = (text: string | number): AttributeValue => ({ N: String(text) });
export const event = (attributes: Attributes = {}, id = 'e1'): Attributes => ({ id: S(id), ...attributes });
export const putEvent = (attributes: Attributes = {}, id = 'e1'): PutItemCommand =>
  new PutItemCommand({ TableName: EVENTS, Item: event(attributes, id) });

export type UpdateRequest = Partial<UpdateItemCommandInput>;

export const updateEvent = (request: UpdateRequest, id = 'e1'): UpdateItemCommand =>
  new UpdateItemCommand({ TableName: EVENTS, Key: { id: S(id) }, ...request });

export const transact = (
  items: TransactWriteItemsCommandInput['TransactItems'],
  token?: string,
): TransactWriteItemsCommand =>
  new TransactWriteItemsCommand({
    TransactItems: items,
    ...(token === undefined ? {} : { ClientRequestToken: token }),
  });
