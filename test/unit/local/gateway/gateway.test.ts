import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../local/gateway/callers.ts';
import { allow, aRole, INBOX, OUTBOX } from '../iam/a-role.ts';
import { openGateway, type TestGateway } from './a-gateway.ts';

let opened: TestGateway;
beforeEach(async () => {
  opened = await openGateway();
});
afterEach(() => opened.close());

/** Replaces the gateway by one before a function that may do only this. */
async function openWith(...statements: readonly object[]): Promise<void> {
  await opened.close();
  opened = await openGateway(aRole(...statements));
}

const PUT = new PutItemCommand({ TableName: 'Inbox', Item: { id: { S: 'a' } } });
const GET = new GetItemCommand({ TableName: 'Inbox', Key: { id: { S: 'a' } } });

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** One request as it stands, with no SDK to put it right. */
function post(headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const url = new URL(opened.gateway.endpoints['dynamodb'] ?? '');
    const outgoing = request(url, { method: 'POST', headers }, async (response) => {
      resolve({ status: response.statusCode, headers: response.rawHeaders, body: await buffer(response) });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const signedFor = ({ credentials }: Pick<Caller, 'credentials'>, action = 'GetItem') => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-security-token, Signature=f00`,
  'x-amz-security-token': credentials.sessionToken,
  'x-amz-target': `DynamoDB_20120810.${action}`,
});

describe('a call that passes the gateway', () => {
  it('comes through byte for byte, with a header it does not know', async () => {
    const body = '{ "TableName":"Inbox",\n "Key": {"id":{"S":"\\u00e9é"}} }';

    await post({ ...signedFor(opened.admit()), 'x-something': 'Else, 1' }, body);

    const [arrived] = opened.arrived;
    expect(arrived?.body).toEqual(Buffer.from(body));
    expect(arrived?.headers).toMatchObject({
      'x-something': 'Else, 1',
      'x-amz-target': 'DynamoDB_20120810.GetItem',
      'content-length': String(Buffer.byteLength(body)),
    });
  });

  it('is answered byte for byte, with the headers of the service', async () => {
    const body = Buffer.from([0x7b, 0x7d, 0x0a, 0xff, 0x00]);
    opened.answerWith({ status: 418, headers: { 'x-amzn-RequestId': 'r-1', 'x-amz-crc32': '77' }, body });

    const answer = await post(signedFor(opened.admit()), '{"TableName":"Inbox"}');

    expect(answer.status).toBe(418);
    expect(answer.body).toEqual(body);
    expect(answer.headers.join(' ')).toContain('x-amzn-RequestId r-1 x-amz-crc32 77');
  });

  it('carries the shared access key and no session, and the rest of its signature', async () => {
    await post(signedFor(opened.admit()), '{"TableName":"Inbox"}');

    const [arrived] = opened.arrived;
    expect(arrived?.headers.authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=LOCALSHARED/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-security-token, Signature=f00',
    );
    expect(arrived?.headers['x-amz-security-token']).toBeUndefined();
  });

  it('shares its connection to the service with the next', async () => {
    const client = opened.clientOf(opened.admit());

    for (let n = 0; n < 5; n += 1) await client.send(GET);

    expect(opened.arrived).toHaveLength(5);
    expect(opened.connections()).toBe(1);
  });

  it('has its connection cut when the service is gone, and people are told', async () => {
    const client = opened.clientOf(opened.admit());
    await opened.stopService();

    const asked = client.send(GET);

    await expect(asked).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(opened.troubles).toEqual([expect.stringMatching(/^no answer from dynamodb: .*ECONNREFUSED/)]);
  });
});

describe('a caller that the gateway does not know', () => {
  const nobody = { credentials: { accessKeyId: 'LOCALNOBODY', secretAccessKey: 's', sessionToken: 't' } };

  it.each([
    { who: 'with an unknown access key', headers: () => signedFor(nobody), error: 'UnrecognizedClientException' },
    {
      who: 'with the session token of another',
      headers: () => ({
        ...signedFor(opened.admit()),
        'x-amz-security-token': opened.admit().credentials.sessionToken,
      }),
      error: 'UnrecognizedClientException',
    },
    {
      who: 'with the access key that the services share',
      headers: () => signedFor({ credentials: { ...nobody.credentials, accessKeyId: 'LOCALSHARED' } }),
      error: 'UnrecognizedClientException',
    },
    { who: 'without a signature', headers: () => ({}), error: 'MissingAuthenticationTokenException' },
  ])('$who is refused as by AWS, and not counted', async ({ headers, error }) => {
    const answer = await post(headers(), '{"TableName":"Inbox"}');

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body.toString())['__type']).toBe(`com.amazon.coral.service#${error}`);
    expect(opened.arrived).toEqual([]);
    expect(opened.gateway.calls.total).toBe(0);
  });
});

describe('a call that the function’s role does not allow', () => {
  it('is refused in the words of AWS and not applied', async () => {
    await openWith(allow('dynamodb:GetItem', INBOX));
    const caller = opened.admit('i-7');

    const answer = await post(signedFor(caller, 'PutItem'), '{"TableName":"Inbox","Item":{}}');

    const message =
      'User: arn:aws:sts::000000000000:assumed-role/Oncehook-dev-ReceiveRole/Oncehook-dev-Receive is not authorized ' +
      `to perform: dynamodb:PutItem on resource: ${INBOX} because no identity-based policy allows the dynamodb:PutItem action`;
    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toBe(
      JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', Message: message }),
    );
    expect(opened.arrived).toEqual([]);
    expect(opened.denials).toEqual([
      { functionKey: 'receive', instanceId: 'i-7', action: 'dynamodb:PutItem', resource: INBOX, message },
    ]);
  });

  it('is one that the SDK knows as AccessDeniedException', async () => {
    await openWith(allow('dynamodb:GetItem', INBOX));
    const client = opened.clientOf(opened.admit());

    await expect(client.send(PUT)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('is not authorized to perform: dynamodb:PutItem'),
    });
    await expect(client.send(GET)).resolves.toBeDefined();
  });

  it('is a transaction with one item that is not allowed, whatever the others are', async () => {
    await openWith(allow(['dynamodb:UpdateItem', 'dynamodb:PutItem'], INBOX), allow('dynamodb:UpdateItem', OUTBOX));
    const client = opened.clientOf(opened.admit());
    const Update = { TableName: 'Inbox', Key: { id: { S: 'a' } }, UpdateExpression: 'SET x = y' };
    const items = (...more: NonNullable<TransactWriteItemsCommandInput['TransactItems']>) =>
      new TransactWriteItemsCommand({ TransactItems: [{ Update }, ...more] });

    await client.send(items({ Update: { ...Update, TableName: 'Outbox' } }));
    const refused = client.send(items({ Put: { TableName: 'Outbox', Item: { id: { S: 'b' } } } }));

    await expect(refused).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(opened.denials).toMatchObject([{ action: 'dynamodb:PutItem', resource: OUTBOX }]);
    expect(opened.arrived).toHaveLength(1);
  });
});

describe('a call that the gateway cannot judge', () => {
  it.each(['ExecuteStatement', 'DropEverything'])('such as %s is refused, and people are told', async (action) => {
    const answer = await post(signedFor(opened.admit(), action), '{}');

    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toContain('com.amazon.coral.service#UnknownOperationException');
    expect(opened.troubles).toEqual([
      `local AWS does not know dynamodb DynamoDB_20120810.${action}: write down in local/gateway/services what it needs`,
    ]);
    expect(opened.arrived).toEqual([]);
  });

  it('because it is no JSON is refused', async () => {
    const answer = await post(signedFor(opened.admit()), '{"TableName":');

    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toContain('com.amazon.coral.service#SerializationException');
  });
});

describe('the record of calls', () => {
  it('has every call that came, with its instance and its number there and in its invocation', async () => {
    const [one, other] = [opened.admit('i-1'), opened.admit('i-2')];
    const [client, otherClient] = [opened.clientOf(one), opened.clientOf(other)];

    await client.send(GET);
    one.begins('first');
    await client.send(GET);
    await otherClient.send(PUT);
    await client.send(PUT);
    one.begins('second');
    await client.send(GET);

    const calls = opened.gateway.calls.take();
    expect(calls.map(({ action, instanceId, invocationId, n }) => [action, instanceId, invocationId, n])).toEqual([
      ['GetItem', 'i-1', undefined, { total: 1, ofInstance: 1, ofInvocation: 1 }],
      ['GetItem', 'i-1', 'first', { total: 2, ofInstance: 2, ofInvocation: 1 }],
      ['PutItem', 'i-2', undefined, { total: 3, ofInstance: 1, ofInvocation: 1 }],
      ['PutItem', 'i-1', 'first', { total: 4, ofInstance: 3, ofInvocation: 2 }],
      ['GetItem', 'i-1', 'second', { total: 5, ofInstance: 4, ofInvocation: 1 }],
    ]);
    expect(opened.gateway.calls.take()).toEqual([]);
    expect(opened.gateway.calls.total).toBe(5);
  });

  it('has the calls that were refused, too', async () => {
    await openWith(allow('dynamodb:GetItem', INBOX));
    const coming = opened.gateway.calls.next(({ action }) => action === 'PutItem');

    await expect(opened.clientOf(opened.admit()).send(PUT)).rejects.toThrow();

    expect(await coming).toMatchObject({
      functionKey: 'receive',
      needs: [{ action: 'dynamodb:PutItem', resource: INBOX }],
    });
  });
});

describe('a connection of an instance', () => {
  it('can be closed between two calls, and the SDK opens another', async () => {
    const client = opened.clientOf(opened.admit());
    await client.send(GET);

    opened.gateway.closeConnections();
    await new Promise((resolve) => setImmediate(resolve));

    await expect(client.send(GET)).resolves.toBeDefined();
  });
});
