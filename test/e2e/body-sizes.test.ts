import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_INLINE_MESSAGE_BYTES } from '../../lambda/adapters/sqs/event-message.ts';
import { toEnvelope } from '../../lambda/core/envelope.ts';
import { encodeEnvelope } from '../../lambda/core/envelope-codec.ts';
import { epochMs } from '../../lambda/core/time.ts';
import { github } from '../../lambda/providers/github.ts';
import type { Call } from '../../local/faults/fault.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { anEvent } from '../support/events.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type Answer, type SignedDelivery, send } from './official-senders.ts';

const LAMBDA = join(import.meta.dirname, '../../lambda');

/** The default of the setting. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Writes what bytes came to the handler. */
const SOURCES = `
  import { createHash } from 'node:crypto';
  import { defineSources, github } from ${JSON.stringify(join(LAMBDA, 'oncehook.ts'))};
  import { tables } from ${JSON.stringify(join(LAMBDA, 'handlers/tables.ts'))};

  const push = async (event, work) => {
    work.write({ Update: {
      TableName: tables.accounts,
      Key: { accountId: event.id },
      UpdateExpression: 'SET bodyHash = :hash, bodyBytes = :bytes',
      ExpressionAttributeValues: {
        ':hash': createHash('sha256').update(event.rawBody).digest('hex'),
        ':bytes': event.rawBody.byteLength,
      },
    } });
  };

  export const sources = defineSources({ github: { provider: github(), on: { push } } });
`;

let folder: string;
let aws: LocalAws;
let tables: DynamoDBDocumentClient;
let s3: S3Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  await writeFile(join(folder, 'sources.ts'), SOURCES);
  aws = await startTestAws({
    sourcesFile: join(folder, 'sources.ts'),
    schedules: false,
    context: { workTimeoutSeconds: '20' },
  });
  const access = { region: aws.region, credentials: { ...aws.credentials } };
  tables = DynamoDBDocumentClient.from(new DynamoDBClient({ ...access, endpoint: aws.endpoints.dynamodb }));
  s3 = new S3Client({ ...access, endpoint: aws.endpoints.s3, forcePathStyle: true });
});
afterAll(async () => {
  tables?.destroy();
  s3?.destroy();
  await aws?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A push whose body has exactly so many bytes, some of which are no ASCII. */
async function pushOf(id: string, bytes: number): Promise<SignedDelivery> {
  const start = '{"text":"é\\u0000😀';
  const body = `${start}${'x'.repeat(bytes - Buffer.byteLength(start) - 2)}"}`;
  expect(Buffer.byteLength(body)).toBe(bytes);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-delivery': id,
      'x-github-event': 'push',
      'x-hub-signature-256': await sign(aws.secrets['github']?.[0] ?? '', body),
    },
  };
}

const hashOf = ({ body }: SignedDelivery): string => createHash('sha256').update(body).digest('hex');

/** What the handler has written of an event. */
async function accountOf(id: string): Promise<unknown> {
  const { Item: account } = await tables.send(
    new GetCommand({ TableName: aws.tables['accounts'], Key: { accountId: id }, ConsistentRead: true }),
  );
  return account;
}

const keysInBucket = async (): Promise<readonly string[]> =>
  ((await s3.send(new ListObjectsV2Command({ Bucket: aws.buckets['bodies'] }))).Contents ?? []).map(
    ({ Key: key = '' }) => key,
  );

/** Delivers, and waits until the handler has written what came to it. */
async function deliver(
  id: string,
  bytes: number,
): Promise<{ readonly delivery: SignedDelivery; readonly answer: Answer }> {
  const delivery = await pushOf(id, bytes);
  const answer = await send(aws.apiUrl, 'github', delivery);
  if (answer.outcome === 'queued') {
    await expect
      .poll(() => accountOf(id), { timeout: 60_000 })
      .toEqual({ accountId: id, bodyHash: hashOf(delivery), bodyBytes: bytes });
  }
  return { delivery, answer };
}

/** The most bytes of a body that a message has room for: base64 takes four bytes for three. */
function largestInMessage(headers: SignedDelivery['headers']): number {
  const empty = encodeEnvelope(
    toEnvelope({
      ...anEvent(),
      source: 'github',
      eventId: headers['x-github-delivery'] ?? '',
      types: ['push'],
      rawBody: Buffer.of(),
      contentEncoding: undefined,
      itemIndex: undefined,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => github().headers.includes(name))),
      receivedAt: epochMs(Date.now()),
      occurredAt: undefined,
    }),
  );
  return Math.floor((MAX_INLINE_MESSAGE_BYTES - Buffer.byteLength(empty)) / 4) * 3;
}

describe('the raw bytes of a queued delivery come unchanged into its handler', () => {
  it('in the message as long as that has room for them, and through the bucket from one byte more', async () => {
    const { headers } = await pushOf('largest-in', 100);
    const most = largestInMessage(headers);

    const inMessage = await deliver('largest-in', most);
    const keys = await keysInBucket();
    const inBucket = await deliver('one-more-in', most + 1);

    expect(inMessage.answer).toEqual({ status: 200, outcome: 'queued' });
    expect(keys).toEqual([]);
    expect(inBucket.answer).toEqual({ status: 200, outcome: 'queued' });
    const key = `github/${hashOf(inBucket.delivery)}`;
    expect(await keysInBucket()).toEqual([key]);
    const { Body: stored } = await s3.send(new GetObjectCommand({ Bucket: aws.buckets['bodies'], Key: key }));
    expect(await stored?.transformToString()).toBe(inBucket.delivery.body);
  });

  it('up to the largest body, and one byte more is answered 413 and goes nowhere', async () => {
    const largest = await deliver('largest', MAX_BODY_BYTES);
    const keys = await keysInBucket();
    const tooLarge = await deliver('one-more', MAX_BODY_BYTES + 1);

    expect(largest.answer).toEqual({ status: 200, outcome: 'queued' });
    expect(keys).toContain(`github/${hashOf(largest.delivery)}`);
    expect(tooLarge.answer).toEqual({ status: 413, outcome: 'too-large' });
    expect(await keysInBucket()).toEqual(keys);
  });
});

describe('an event that is queued by choice', () => {
  const named = (calls: readonly Call[], key: string) =>
    calls.filter(({ functionKey }) => functionKey === key).map(({ service, action }) => `${service} ${action}`);

  it('takes receive one call, none of it to DynamoDB, and work the two of any new event', async () => {
    await deliver('warm', 100);
    aws.gateway.calls.take();

    await deliver('counted', 100);
    const forNew = aws.gateway.calls.take();
    const { outcome } = await send(aws.apiUrl, 'github', await pushOf('counted', 100));
    await aws.logs.waitFor(({ fields }) => fields?.['eventId'] === 'counted' && fields['outcome'] === 'duplicate');
    const forCopy = aws.gateway.calls.take();

    expect(named(forNew, 'receive')).toEqual(['sqs SendMessageBatch']);
    expect(named(forNew, 'work')).toEqual(['dynamodb PutItem', 'dynamodb TransactWriteItems']);
    // Only work knows that it is a copy.
    expect(outcome).toBe('queued');
    expect(named(forCopy, 'receive')).toEqual(['sqs SendMessageBatch']);
    expect(named(forCopy, 'work')).toEqual(['dynamodb PutItem']);
  });
});
