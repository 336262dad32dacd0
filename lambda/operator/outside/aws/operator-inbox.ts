import {
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { itemOf } from '../../../adapters/dynamodb/send-commit.ts';
import { isConditionFailed } from '../../../adapters/dynamodb/translate-error.ts';
import type { WireItem } from '../../../adapters/dynamodb/wire-item.ts';
import { ATTENTION_SHARDS, INBOX } from '../../../contract.ts';
import { encodeItem } from '../../../core/attribute-value.ts';
import type {
  AttentionStatus,
  HistoryEntry,
  InboxRecord,
  ListedRow,
  OperatorInbox,
} from '../../deployment/inbox-port.ts';
import { explaining } from './explain-error.ts';
import { decodeListed, decodeRecord } from './inbox-record.ts';

/** Rows read at once for a page of the index, which has their keys alone. */
const READS_AT_ONCE = 10;

/** Keys of one page: a second's reading, so that something is soon to be seen. */
const PAGE_KEYS = 100;

export interface DynamoTable {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  readonly isLocal: boolean;
}

/** The inbox in DynamoDB. */
export function createOperatorInbox({ client, table, isLocal }: DynamoTable): OperatorInbox {
  const ask = <T>(action: string, call: () => Promise<T>): Promise<T> =>
    explaining({ service: 'dynamodb', action, resource: `table ${table}`, isLocal }, call);

  const get = (key: WireItem, consistent: boolean): Promise<WireItem | undefined> =>
    ask('GetItem', async () => {
      const { Item: item } = await client.send(
        new GetItemCommand({ TableName: table, Key: key, ConsistentRead: consistent }),
      );
      return item;
    });

  async function* attention(status: AttentionStatus): AsyncIterable<readonly ListedRow[]> {
    for (let shard = 0; shard < ATTENTION_SHARDS; shard += 1) {
      let from: WireItem | undefined;
      do {
        const { Items: keys = [], LastEvaluatedKey: next } = await ask('Query', () =>
          client.send(
            new QueryCommand({
              TableName: table,
              IndexName: INBOX.attentionIndex,
              KeyConditionExpression: `${INBOX.attentionAttribute} = :attention`,
              ExpressionAttributeValues: encodeItem({ ':attention': `${status}#${shard}` }),
              Limit: PAGE_KEYS,
              ...(from === undefined ? {} : { ExclusiveStartKey: from }),
            }),
          ),
        );
        for (let n = 0; n < keys.length; n += READS_AT_ONCE) {
          const items = await Promise.all(
            keys.slice(n, n + READS_AT_ONCE).map(({ id }) => get(id === undefined ? {} : { id }, false)),
          );
          // The index is a moment behind: somebody may have claimed the event since.
          yield items
            .flatMap((item) => (item === undefined ? [] : [decodeListed(item)]))
            .filter((row) => row.kind === 'unreadable' || row.record.row.status === status);
        }
        from = next;
      } while (from !== undefined);
    }
  }

  async function* scan(): AsyncIterable<readonly ListedRow[]> {
    let from: WireItem | undefined;
    do {
      const { Items: items = [], LastEvaluatedKey: next } = await ask('Scan', () =>
        client.send(new ScanCommand({ TableName: table, ...(from === undefined ? {} : { ExclusiveStartKey: from }) })),
      );
      yield items.map(decodeListed);
      from = next;
    } while (from !== undefined);
  }

  return {
    async read(key) {
      const item = await get(encodeItem({ id: key }), true);
      return item === undefined ? undefined : decodeRecord(item);
    },
    attention,
    scan,
    size: () => ask('DescribeTable', () => sizeOf(client, table)),
    clear: (seen, entry) =>
      ask('UpdateItem', async () => {
        try {
          await client.send(new UpdateItemCommand(buildClear(table, seen, entry)));
          return 'cleared';
        } catch (error) {
          if (!isConditionFailed(error)) throw error;
          // The SDK sends again what was not answered, and finds its own write.
          const item = itemOf(error);
          return item !== undefined && isMine(decodeRecord(item), seen, entry) ? 'cleared' : 'changed';
        }
      }),
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html */
export async function sizeOf(client: Pick<DynamoDBClient, 'send'>, table: string) {
  const { Table: described } = await client.send(new DescribeTableCommand({ TableName: table }));
  return { items: described?.ItemCount ?? 0, bytes: described?.TableSizeBytes ?? 0 };
}

/** The claim token stays: the next claim's condition names it. */
export const buildClear = (table: string, { row }: InboxRecord, entry: HistoryEntry): UpdateItemCommandInput => ({
  TableName: table,
  Key: encodeItem({ id: row.key }),
  UpdateExpression:
    'SET #status = :cleared, #history = list_append(if_not_exists(#history, :none), :entry) ' +
    'REMOVE #attention, #expiresAt, leaseUntilMs, steps, #result, processedAt',
  ConditionExpression: 'claimToken = :token AND #status = :seen',
  ExpressionAttributeNames: {
    '#status': 'status',
    '#history': 'history',
    '#attention': INBOX.attentionAttribute,
    '#expiresAt': INBOX.ttlAttribute,
    '#result': 'result',
  },
  ExpressionAttributeValues: encodeItem({
    ':cleared': 'cleared',
    ':none': [],
    ':entry': [
      {
        at: entry.at,
        by: entry.by,
        reason: entry.reason,
        was: entry.was,
        ...(entry.processedAt === undefined ? {} : { processedAt: entry.processedAt }),
      },
    ],
    ':token': row.claimToken,
    ':seen': row.status,
  }),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});

function isMine({ row, history }: InboxRecord, seen: InboxRecord, entry: HistoryEntry): boolean {
  const last = history.at(-1);
  return (
    row.status === 'cleared' &&
    row.claimToken === seen.row.claimToken &&
    history.length === seen.history.length + 1 &&
    last?.at === entry.at &&
    last.by === entry.by &&
    last.reason === entry.reason
  );
}
