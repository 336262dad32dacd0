import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRestartable } from '../../../../local/dynamodb/restartable.ts';
import { type Guardian, startGuardian } from '../../../../local/processes/guardian.ts';

const ACCESS = { region: 'us-east-1', credentials: { accessKeyId: 'LOCAL1', secretAccessKey: 's' } };

let folder: string;
let guardian: Guardian;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  guardian = startGuardian();
});
afterAll(async () => {
  await guardian?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('DynamoDB Local', () => {
  it('is started again at its port with everything that it has answered, and that is not its end', {
    timeout: 120_000,
  }, async () => {
    const dynamodb = await startRestartable({ ...ACCESS, dataDirectory: folder, guardian });
    let ended = false;
    void dynamodb.ended.then(() => {
      ended = true;
    });
    const client = new DynamoDBClient({ ...ACCESS, endpoint: dynamodb.url });
    await client.send(
      new CreateTableCommand({
        TableName: 'Inbox',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    const Item = { id: { S: 'a' } };
    await client.send(new PutItemCommand({ TableName: 'Inbox', Item }));

    await dynamodb.restart();

    expect((await client.send(new GetItemCommand({ TableName: 'Inbox', Key: Item }))).Item).toEqual(Item);
    expect(ended).toBe(false);
    await dynamodb.stop();
    await dynamodb.ended;
    client.destroy();
  });

  it('is not started again in memory, where nothing would be left', { timeout: 120_000 }, async () => {
    const dynamodb = await startRestartable({ ...ACCESS, dataDirectory: undefined, guardian });

    await expect(dynamodb.restart()).rejects.toThrow('would come back empty');

    await dynamodb.stop();
  });
});
