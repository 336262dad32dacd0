import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DescribeContinuousBackupsCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTablesFront } from '../../../../local/dynamodb/tables-front.ts';
import type { ServiceServer } from '../../../../local/gateway/service-server.ts';
import { closeServer, listenOnLoopback } from '../../../../local/http/loopback-server.ts';
import { readStackSpec } from '../../../../local/template/stack-spec.ts';
import { A_PLACE, aTemplate } from '../fixtures/a-template.ts';

const arrived: string[] = [];
const behind = createServer(async (request, response) => {
  arrived.push((await buffer(request)).toString());
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{"Item":{"id":{"S":"a"}}}');
});

let front: ServiceServer;
let client: DynamoDBClient;

const clientWith = (accessKeyId: string) =>
  new DynamoDBClient({
    endpoint: front.url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
    maxAttempts: 1,
  });

beforeEach(async () => {
  const target = `http://127.0.0.1:${await listenOnLoopback(behind, 0)}`;
  const { tables } = readStackSpec(aTemplate(), A_PLACE);
  front = await startTablesFront({ accessKeyId: 'LOCAL1', target, tables: () => tables });
  client = clientWith('LOCAL1');
});
afterEach(async () => {
  arrived.length = 0;
  client.destroy();
  await front.close();
  await closeServer(behind);
});

const GET = new GetItemCommand({ TableName: 'Inbox', Key: { id: { S: 'a' } } });

async function recoveryOf(TableName: string) {
  const { ContinuousBackupsDescription: found } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  return found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
}

describe('DynamoDB for people', () => {
  it.each([
    ['Oncehook-dev-Inbox', 'ENABLED'],
    ['arn:aws:dynamodb:us-east-1:000000000000:table/Oncehook-dev-Inbox', 'ENABLED'],
    ['Oncehook-dev-Accounts', 'DISABLED'],
  ])('says of the backups of %s what the template says', async (table, expected) => {
    expect(await recoveryOf(table)).toBe(expected);
    expect(arrived).toEqual([]);
  });

  it('knows nothing of the backups of another table', async () => {
    await expect(recoveryOf('other')).rejects.toMatchObject({ name: 'TableNotFoundException' });
  });

  it('hands everything else on, and its answer back', async () => {
    const { Item: item } = await client.send(GET);

    expect(item).toEqual({ id: { S: 'a' } });
    expect(arrived.map((body) => JSON.parse(body))).toEqual([{ TableName: 'Inbox', Key: { id: { S: 'a' } } }]);
  });

  it('gives no answer when there is none behind it', async () => {
    await closeServer(behind);

    await expect(client.send(GET)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('answers nobody else’s access key', async () => {
    const stranger = clientWith('LOCAL2');

    await expect(stranger.send(GET)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    expect(arrived).toEqual([]);
    stranger.destroy();
  });
});
