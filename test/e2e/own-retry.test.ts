import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../lambda/core/envelope.ts';
import { decodeEnvelope } from '../../lambda/core/envelope-codec.ts';
import { closeServer, listenOnLoopback } from '../../local/http/loopback-server.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type Answer, githubDelivery, type SignedDelivery, send } from './official-senders.ts';

const LAMBDA = join(import.meta.dirname, '../../lambda');
const MAX_ATTEMPTS = 4;

/** A handler that asks outside, by the repository's name, what is to become of this attempt. */
const sourcesModule = (url: string) => `
  import { defineSources, github } from ${JSON.stringify(join(LAMBDA, 'oncehook.ts'))};
  import { tables } from ${JSON.stringify(join(LAMBDA, 'handlers/tables.ts'))};

  const held = [];

  const push = async (event, work) => {
    const repository = event.body.repository.full_name;
    const answer = await fetch(${JSON.stringify(url)} + '/' + repository);
    switch (await answer.text()) {
      case 'fail':
        throw new Error('the ledger is closed');
      case 'exit':
        process.exit(1);
      case 'grow':
        for (;;) {
          held.push(Buffer.alloc(8 * 1024 * 1024, 1));
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      case 'hang':
        await new Promise((resolve) => setTimeout(resolve, 600_000));
    }
    work.write({ Update: {
      TableName: tables.accounts,
      Key: { accountId: repository },
      UpdateExpression: 'ADD balance :commits, entries :one',
      ExpressionAttributeValues: { ':commits': event.body.commits.length, ':one': 1 },
    } });
  };

  export const sources = defineSources({ github: { provider: github(), on: { push } } });
`;

type Fate = 'work' | 'fail' | 'exit' | 'grow' | 'hang';
const POISONS = ['exit', 'grow', 'hang'] as const;

let folder: string;
let outside: Server;
let aws: LocalAws;
let tables: DynamoDBDocumentClient;
let sqs: SQSClient;
/** What each repository's next attempt is to come to, and how many there were. */
const fates = new Map<string, (attempt: number) => Fate>();
const attempts = new Map<string, number>();
const deliveries = new Map<string, SignedDelivery>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  outside = createServer((request, response) => {
    const repository = (request.url ?? '').slice(1);
    const attempt = (attempts.get(repository) ?? 0) + 1;
    attempts.set(repository, attempt);
    response.end(fates.get(repository)?.(attempt));
  });
  const port = await listenOnLoopback(outside, 0);
  await writeFile(join(folder, 'sources.ts'), sourcesModule(`http://127.0.0.1:${port}`));
  aws = await startTestAws({
    sourcesFile: join(folder, 'sources.ts'),
    schedules: false,
    context: {
      workTimeoutSeconds: '3',
      workMemoryMb: '256',
      retryAfterSeconds: '1',
      maxAttempts: String(MAX_ATTEMPTS),
    },
  });
  const access = { region: aws.region, credentials: { ...aws.credentials } };
  tables = DynamoDBDocumentClient.from(new DynamoDBClient({ ...access, endpoint: aws.endpoints.dynamodb }));
  sqs = new SQSClient({ ...access, endpoint: aws.endpoints.sqs });
  // The stack hides a message for six times the time-out. Here it is just over the lease of a worker that died.
  await sqs.send(
    new SetQueueAttributesCommand({ QueueUrl: aws.queues['events'], Attributes: { VisibilityTimeout: '5' } }),
  );

  // All at once: what waits for a time-out waits beside the others.
  await Promise.all([
    push('octo/recovers', (attempt) => (attempt <= 3 ? 'fail' : 'work')),
    push('octo/fails', () => 'fail'),
    push('octo/mixed', (attempt) => (attempt % 2 === 1 ? 'fail' : 'exit')),
    ...POISONS.map((poison) => push(`octo/${poison}`, () => poison)),
  ]);
});
afterAll(async () => {
  tables?.destroy();
  sqs?.destroy();
  await aws?.stop();
  await closeServer(outside);
  await rm(folder, { recursive: true, force: true });
});

const idOf = (repository: string): string => `delivery-${repository.replace('/', '-')}`;

/** GitHub sends it once, and never again by itself. */
async function push(repository: string, fate: (attempt: number) => Fate): Promise<void> {
  fates.set(repository, fate);
  const delivery = await githubDelivery(aws.secrets['github']?.[0] ?? '', idOf(repository), repository, 3);
  deliveries.set(repository, delivery);
  expect(await deliver(repository)).toEqual({ status: 200, outcome: 'queued' });
}

/** Somebody presses GitHub's button. */
async function deliver(repository: string): Promise<Answer> {
  return send(aws.apiUrl, 'github', deliveries.get(repository) ?? { body: '', headers: {} });
}

async function rowOf(repository: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const key = { TableName: aws.tables['inbox'], Key: { id: `github#${idOf(repository)}` }, ConsistentRead: true };
  return (await tables.send(new GetCommand(key))).Item;
}

async function accountOf(repository: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const key = { TableName: aws.tables['accounts'], Key: { accountId: repository }, ConsistentRead: true };
  return (await tables.send(new GetCommand(key))).Item;
}

const parked = new Map<string, Envelope>();

/** The event's message in the DLQ. */
async function parkedEnvelope(repository: string): Promise<Envelope | undefined> {
  const { Messages: messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: aws.queues['eventsDlq'], MaxNumberOfMessages: 10 }),
  );
  for (const { Body: body = '' } of messages) {
    const envelope = decodeEnvelope(body);
    expect(parked.has(envelope.eventId)).toBe(false);
    parked.set(envelope.eventId, envelope);
  }
  return parked.get(idOf(repository));
}

const bytesOf = ({ body }: Envelope): string | undefined =>
  body.kind === 'inline' ? Buffer.from(body.bytes).toString('utf8') : undefined;

const becomes = (repository: string, row: object) =>
  expect.poll(() => rowOf(repository), { timeout: 60_000 }).toMatchObject(row);

describe('a push of GitHub', () => {
  it('whose handler fails three times and then works is applied once, without being sent again', async () => {
    await becomes('octo/recovers', { status: 'processed', attempts: 4, failures: 3 });

    expect(await accountOf('octo/recovers')).toMatchObject({ balance: 3, entries: 1 });
    expect(attempts.get('octo/recovers')).toBe(4);
    expect(await deliver('octo/recovers')).toEqual({ status: 200, outcome: 'queued' });
    await aws.logs.waitFor(
      ({ fields }) => fields?.['eventId'] === idOf('octo/recovers') && fields['outcome'] === 'duplicate',
    );
    expect(await accountOf('octo/recovers')).toMatchObject({ balance: 3, entries: 1 });
  });

  it('whose handler always fails is parked with its raw bytes, and applied when it is sent again after the fix', async () => {
    await becomes('octo/fails', {
      status: 'parked',
      attempts: MAX_ATTEMPTS,
      failures: MAX_ATTEMPTS,
      lastError: { message: 'the ledger is closed' },
    });

    const envelope = await parkedEnvelope('octo/fails');
    expect(envelope?.parked).toEqual({
      reason: 'max-attempts',
      lastError: { name: 'Error', message: 'the ledger is closed' },
    });
    expect(envelope === undefined ? undefined : bytesOf(envelope)).toBe(deliveries.get('octo/fails')?.body);
    expect(await accountOf('octo/fails')).toBeUndefined();
    expect(attempts.get('octo/fails')).toBe(MAX_ATTEMPTS);

    fates.set('octo/fails', () => 'work');
    expect(await deliver('octo/fails')).toEqual({ status: 200, outcome: 'queued' });

    await becomes('octo/fails', { status: 'processed', attempts: 1, failures: 0 });
    expect(await accountOf('octo/fails')).toMatchObject({ balance: 3, entries: 1 });
  });

  it.each([
    { poison: 'exit', how: 'ends its process', failures: 0 },
    { poison: 'grow', how: 'outgrows its memory', failures: 0 },
    { poison: 'hang', how: 'never ends', failures: 0 },
    { poison: 'mixed', how: 'fails and ends its process in turn', failures: 2 },
  ])('whose handler $how is parked after as many attempts, with its raw bytes', async ({ poison, failures }) => {
    const repository = `octo/${poison}`;
    await becomes(repository, { status: 'parked', failures, lastError: { name: 'Crashed' } });

    const envelope = await parkedEnvelope(repository);
    expect(envelope?.parked?.reason).toBe('crashes');
    expect(envelope?.parked?.lastError?.message).toContain(
      `${MAX_ATTEMPTS - failures} of ${MAX_ATTEMPTS} attempts ended`,
    );
    expect(envelope === undefined ? undefined : bytesOf(envelope)).toBe(deliveries.get(repository)?.body);
    expect(attempts.get(repository)).toBe(MAX_ATTEMPTS);
    expect(await accountOf(repository)).toBeUndefined();
  });
});
