import { DeleteItemCommand, type DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { encodeItem } from '../../core/attribute-value.ts';
import type { OutboxStore, OwedRow } from '../../core/outbox-ports.ts';
import { decodeOwedRow } from '../../core/owed-row.ts';
import { isConditionFailed, translateError } from './translate-error.ts';
import { fromWire, type WireItem } from './wire-item.ts';

/** The outbox in DynamoDB. */
export function createOutboxStore(client: Pick<DynamoDBClient, 'send'>, table: string): OutboxStore {
  /** A row that is gone or another one by now needs nothing of us. */
  const unlessChanged = async (doing: string, send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
    } catch (error) {
      if (!isConditionFailed(error)) throw translateError(error, doing);
    }
  };

  return {
    remove: (message) =>
      unlessChanged('remove a message', () =>
        client.send(
          new DeleteItemCommand({
            TableName: table,
            Key: encodeItem({ id: message.id }),
            ConditionExpression: 'createdAtMs = :seen',
            ExpressionAttributeValues: encodeItem({ ':seen': message.createdAt }),
          }),
        ),
      ),
    postpone: (message, next) =>
      unlessChanged('postpone a message', () =>
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: encodeItem({ id: message.id }),
            UpdateExpression: 'SET #state = :state, attempts = :attempts, dueAtMs = :dueAt',
            ConditionExpression: 'createdAtMs = :seen',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: encodeItem({
              ':state': next.state,
              ':attempts': next.attempts,
              ':dueAt': next.dueAt,
              ':seen': message.createdAt,
            }),
          }),
        ),
      ),
    setAside: (id) =>
      unlessChanged('set a row aside', () =>
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: encodeItem({ id }),
            UpdateExpression: 'SET #state = :stuck',
            ConditionExpression: 'attribute_exists(id)',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: encodeItem({ ':stuck': 'stuck' }),
          }),
        ),
      ),
    async *pages() {
      let from: WireItem | undefined;
      do {
        const page = await scan(client, table, from);
        yield page.rows;
        from = page.next;
      } while (from !== undefined);
    },
  };
}

async function scan(
  client: Pick<DynamoDBClient, 'send'>,
  table: string,
  from: WireItem | undefined,
): Promise<{ readonly rows: readonly OwedRow[]; readonly next: WireItem | undefined }> {
  try {
    const { Items: items = [], LastEvaluatedKey: next } = await client.send(
      new ScanCommand({ TableName: table, ...(from === undefined ? {} : { ExclusiveStartKey: from }) }),
    );
    return { rows: items.map((item) => decodeOwedRow(fromWire(item))), next };
  } catch (error) {
    throw translateError(error, 'read the outbox');
  }
}
