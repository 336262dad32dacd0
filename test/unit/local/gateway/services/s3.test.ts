import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { faultRule } from '../../../../../local/faults/rule.ts';
import { type RunningGateway, startGateway } from '../../../../../local/gateway/gateway.ts';
import { s3Service } from '../../../../../local/gateway/services/s3.ts';
import { createIam } from '../../../../../local/iam/iam.ts';
import { openObjectStore } from '../../../../../local/s3/object-store.ts';
import { type SqsServer, startSqsServer } from '../../../../../local/sqs/sqs-server.ts';
import { A_PLACE } from '../../fixtures/a-template.ts';
import { allow, aRole } from '../../iam/a-role.ts';

const SHARED = { accessKeyId: 'LOCALSHARED', secretAccessKey: 'secret' };
const Bucket = 'oncehook-dev-bodies';
const ARN = `arn:aws:s3:::${Bucket}`;
const OBJECTS = ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'];
const ALL = [allow(OBJECTS, `${ARN}/*`), allow('s3:ListBucket', ARN)];

let server: SqsServer;
let gateway: RunningGateway;
const iam = createIam(A_PLACE, () => {});
const clients: S3Client[] = [];
const troubles: string[] = [];
beforeAll(async () => {
  server = await startSqsServer(A_PLACE, SHARED);
  const store = openObjectStore(server.url, A_PLACE, SHARED);
  await store.createBuckets([{ logicalId: 'Bodies', name: Bucket }]);
  store.close();
  gateway = await startGateway({
    services: [s3Service(server.url)],
    accessKeyId: SHARED.accessKeyId,
    iam,
    onTrouble: (_, text) => troubles.push(text),
  });
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  for (const client of clients) client.destroy();
  await gateway?.close();
  await server?.close();
});

/** The SDK's client as a function makes it: told nothing, with Lambda's variables and the endpoint's. */
async function clientWith(statements: readonly object[], maxAttempts?: number): Promise<S3Client> {
  await iam.replace([aRole(...statements)]);
  const { credentials } = gateway.callers.admit({ functionKey: 'receive', instanceId: 'i-1' });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', gateway.endpoints['s3'] ?? '');
  vi.stubEnv('AWS_REGION', A_PLACE.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', credentials.sessionToken);
  const client = new S3Client(maxAttempts === undefined ? {} : { maxAttempts });
  clients.push(client);
  return client;
}

const service = s3Service('http://127.0.0.1:1');
const read = (method: string, path: string, headers = {}) =>
  service.read({ method, path, headers, body: Buffer.alloc(0) });

describe('an unmodified client of S3', () => {
  it('puts, gets, heads, lists and deletes an object of any bytes through the gateway', async () => {
    const s3 = await clientWith(ALL);
    const Body = Buffer.from(Array.from({ length: 3_000_000 }, (_, n) => n % 256));
    const Key = 'stripe/evt ü+1';

    const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    const found = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key }));
    const { Contents: contents } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'stripe/' }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));

    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true);
    expect(head).toMatchObject({ ETag, ContentLength: Body.length });
    expect(contents?.map((each) => each.Key)).toEqual([Key]);
    await expect(s3.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('sends a stream, whose checksum comes after it', async () => {
    const s3 = await clientWith(ALL);
    const Body = Readable.from([Buffer.from('streamed')]);

    await s3.send(new PutObjectCommand({ Bucket, Key: 'stream', Body, ContentLength: 8 }));

    const { Body: back } = await s3.send(new GetObjectCommand({ Bucket, Key: 'stream' }));
    expect(await back?.transformToString()).toBe('streamed');
  });

  it('is refused what its role does not allow, in S3’s own words', async () => {
    const s3 = await clientWith([allow('s3:PutObject', `${ARN}/mine/*`)], 1);

    await s3.send(new PutObjectCommand({ Bucket, Key: 'mine/a', Body: 'x' }));
    const put = s3.send(new PutObjectCommand({ Bucket, Key: 'yours/a', Body: 'x' }));

    await expect(put).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining(`is not authorized to perform: s3:PutObject on resource: ${ARN}/yours/a`),
      $metadata: { httpStatusCode: 403 },
    });
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: 'mine/a' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
  });

  it('is not told that an object is gone unless it may list the bucket', async () => {
    const s3 = await clientWith([allow(OBJECTS, `${ARN}/*`)], 1);

    await s3.send(new PutObjectCommand({ Bucket, Key: 'there', Body: 'x' }));
    await s3.send(new GetObjectCommand({ Bucket, Key: 'there' }));
    const gone = s3.send(new GetObjectCommand({ Bucket, Key: 'gone' }));

    await expect(gone).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('s3:ListBucket'),
    });
  });

  it('is asked to slow down when it is throttled, and tries again by itself', async () => {
    const s3 = await clientWith(ALL, 2);
    const put = new PutObjectCommand({ Bucket, Key: 'slow', Body: 'x' });
    const throttle = { service: 's3', action: 'PutObject', resource: Bucket, fault: { kind: 'throttle' } } as const;

    gateway.faults.use(faultRule({ ...throttle, times: 2 }));
    await expect(s3.send(put)).rejects.toMatchObject({ name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
    gateway.faults.use(faultRule(throttle));

    expect((await s3.send(put)).$metadata).toMatchObject({ attempts: 2, httpStatusCode: 200 });
  });

  it('meets the errors of a service that fails', async () => {
    const s3 = await clientWith(ALL, 1);
    gateway.faults.use(faultRule({ fault: { kind: 'refuse', code: 'InternalServerError' } }));

    await expect(s3.send(new GetObjectCommand({ Bucket, Key: 'there' }))).rejects.toMatchObject({
      name: 'InternalError',
      $metadata: { httpStatusCode: 500 },
    });
  });

  it('is told by name of what nobody has written down', async () => {
    const s3 = await clientWith(ALL, 1);

    const copy = s3.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/there` }));

    await expect(copy).rejects.toMatchObject({ name: 'NotImplemented' });
    expect(troubles.at(-1)).toContain(`local AWS does not know s3 PUT /${Bucket}/copy`);
  });
});

describe('a stranger to S3', () => {
  it('is refused by the gateway and by the server behind it', async () => {
    const signed = { region: A_PLACE.region, credentials: { accessKeyId: 'LOCALOTHER', secretAccessKey: 'x' } };
    for (const endpoint of [gateway.endpoints['s3'] ?? '', server.url]) {
      const stranger = new S3Client({ ...signed, endpoint, maxAttempts: 1 });
      clients.push(stranger);

      await expect(stranger.send(new GetObjectCommand({ Bucket, Key: 'there' }))).rejects.toMatchObject({
        name: 'InvalidAccessKeyId',
        $metadata: { httpStatusCode: 403 },
      });
    }
  });
});

describe('what IAM must allow for a request to S3', () => {
  it.each([
    ['PUT', '/b/a/c%20d?x-id=PutObject', 'PutObject', 's3:PutObject', 'arn:aws:s3:::b/a/c d'],
    ['GET', '/b/k', 'GetObject', 's3:GetObject', 'arn:aws:s3:::b/k'],
    ['HEAD', '/b/k', 'HeadObject', 's3:GetObject', 'arn:aws:s3:::b/k'],
    ['DELETE', '/b/k', 'DeleteObject', 's3:DeleteObject', 'arn:aws:s3:::b/k'],
    ['GET', '/b/?list-type=2&prefix=x', 'ListObjectsV2', 's3:ListBucket', 'arn:aws:s3:::b'],
    ['HEAD', '/b', 'HeadBucket', 's3:ListBucket', 'arn:aws:s3:::b'],
  ])('%s %s is %s, which needs %s on %s', (method, path, action, needed, resource) => {
    expect(read(method, path)).toMatchObject({ action, needs: [{ action: needed, resource }] });
  });

  it.each([
    ['POST', '/b/k?uploads'],
    ['PUT', '/b/k?tagging'],
    ['GET', '/b/k?versionId=1'],
    ['GET', '/b/?lifecycle'],
    ['GET', '/b/'],
    ['DELETE', '/b'],
  ])('is unknown for %s %s', (method, path) => {
    expect(read(method, path)).toBeUndefined();
  });
});
