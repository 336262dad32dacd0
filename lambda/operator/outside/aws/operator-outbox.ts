import { GetItemCommand, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { isConditionFailed } from '../../../adapters/dynamodb/translate-error.ts';
import { fromWire, type WireItem } from '../../../adapters/dynamodb/wire-item.ts';
import { OUTBOX } from '../../../contract.ts';
import { encodeItem } from '../../../core/attribute-value.ts';
import type { OwedRow } from '../../../core/outbox-ports.ts';
import { decodeOwedRow } from '../../../core/owed-row.ts';
import type { OperatorOutbox } from '../../deployment/outbox-port.ts';
import { explaining } from './explain-error.ts';
import { type DynamoTable, sizeOf } from './operator-inbox.ts';

/** The outbox in DynamoDB. */
export function createOperatorOutbox({ client, table, isLocal }: DynamoTable): OperatorOutbox {
  const ask = <T>(action: string, call: () => Promise<T>): Promise<T> =>
    explaining({ service: 'dynamodb', action, resource: `table ${table}`, isLocal }, call);

  async function* scan(): AsyncIterable<readonly OwedRow[]> {
    let from: WireItem | undefined;
    do {
      const { Items: items = [], LastEvaluatedKey: next } = await ask('Scan', () =>
        client.send(new ScanCommand({ TableName: table, ...(from === undefined ? {} : { ExclusiveStartKey: from }) })),
      );
      yield items.map((item) => decodeOwedRow(fromWire(item)));
      from = next;
    } while (from !== undefined);
  }

  return {
    scan,
    read: (id) =>
      ask('GetItem', async () => {
        const { Item: item } = await client.send(
          new GetItemCommand({ TableName: table, Key: encodeItem({ id }), ConsistentRead: true }),
        );
        return item === undefined ? undefined : decodeOwedRow(fromWire(item));
      }),
    size: () => ask('DescribeTable', () => sizeOf(client, table)),
    makeDue: (message) =>
      ask('UpdateItem', async () => {
        try {
          await client.send(
            new UpdateItemCommand({
              TableName: table,
              Key: encodeItem({ id: message.id }),
              UpdateExpression: 'SET #state = :retry, attempts = :none, dueAtMs = :seen',
              ConditionExpression: 'createdAtMs = :seen AND #state = :stuck',
              ExpressionAttributeNames: { '#state': OUTBOX.stateAttribute },
              ExpressionAttributeValues: encodeItem({
                ':retry': 'retry',
                ':none': 0,
                ':seen': message.createdAt,
                ':stuck': 'stuck',
              }),
            }),
          );
          return 'due';
        } catch (error) {
          if (isConditionFailed(error)) return 'changed';
          throw error;
        }
      }),
  };
}
