import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OUTBOX_SOURCE } from '../../lambda/consume/read-message.ts';
import type { Envelope } from '../../lambda/core/envelope.ts';
import { encodeEnvelope } from '../../lambda/core/envelope-codec.ts';
import { inboxKey } from '../../lambda/core/inbox-key.ts';
import { epochMs } from '../../lambda/core/time.ts';
import type { Access } from '../../local/iam/function-role.ts';
import { covers } from '../../local/iam/grants.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type Answer, type SignedDelivery, send, standardDelivery } from './official-senders.ts';

const LAMBDA = join(import.meta.dirname, '../../lambda');

const SOURCES = `
  import { defineSources, RetryLater, standardWebhooks } from ${JSON.stringify(join(LAMBDA, 'oncehook.ts'))};
  import { tables } from ${JSON.stringify(join(LAMBDA, 'handlers/tables.ts'))};

  const credit = async (event, work) => {
    work.write({ Update: {
      TableName: tables.accounts,
      Key: { accountId: 'shop_iam' },
      UpdateExpression: 'ADD entries :one',
      ExpressionAttributeValues: { ':one': 1 },
    } });
    work.emit('credited', { account: 'shop_iam' });
  };

  export const sources = defineSources({
    shop: {
      provider: standardWebhooks(),
      on: {
        credited: credit,
        moved: {
          handle: async () => {},
          order: { resource: (event) => event.body.data.shelf, sequence: (event) => event.body.data.sequence },
        },
        broken: async () => { throw new Error('broken'); },
        later: async () => { throw new RetryLater(3600, 'not yet'); },
      },
    },
  });
`;

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

let folder: string;
let aws: LocalAws;
let runs = 0;
let dynamodb: DynamoDBClient;
let tables: DynamoDBDocumentClient;
let sqs: SQSClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  await writeFile(join(folder, 'sources.ts'), SOURCES);
  aws = await startTestAws({
    sourcesFile: join(folder, 'sources.ts'),
    schedules: false,
    streamRetryMs: 5,
    // More instances would start at once, and each start is all processor time.
    pool: { maxInstances: 2 },
    context: { workTimeoutSeconds: '5', maxAttempts: '2', retryAfterSeconds: '1', joinMs: '0' },
  });
  const { endpoints, region, credentials } = aws;
  dynamodb = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: { ...credentials } });
  tables = DynamoDBDocumentClient.from(dynamodb);
  sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials: { ...credentials } });
  // The stack hides a message for six times the time-out. Here it is just over the lease of a worker that was killed.
  await sqs.send(
    new SetQueueAttributesCommand({ QueueUrl: aws.queues['events'], Attributes: { VisibilityTimeout: '7' } }),
  );
  useFaults();
});
afterAll(async () => {
  dynamodb?.destroy();
  sqs?.destroy();
  await aws?.stop();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  // The next instances are cold, and read the secret again.
  await aws.killInstances();
  aws.gateway.iam.forgetAccesses();
});

/** A message whose id says `unsent` never gets into the queue, and a row whose id says `unsettled` is never removed. */
function useFaults(): void {
  const entriesOf = (input: Readonly<Record<string, unknown>>): readonly unknown[] =>
    Array.isArray(input['Entries']) ? input['Entries'] : [];
  const says = (value: unknown, word: string) => JSON.stringify(value).includes(word);
  aws.gateway.faults.use(({ action, input }) => {
    if (action === 'DeleteItem' && says(input, 'unsettled')) return { kind: 'refuse', code: 'AccessDeniedException' };
    if (action !== 'SendMessageBatch' || !says(input, 'unsent')) return undefined;
    return { kind: 'partial', failed: entriesOf(input).flatMap((entry, n) => (says(entry, 'unsent') ? [n] : [])) };
  });
}

/** Everything that `receive` does, once: the answers in the order of the deliveries. */
async function useReceive(): Promise<readonly Answer[]> {
  runs += 1;
  const shop = (id: string, type: string, data: object = {}, happenedAt?: Date): SignedDelivery =>
    standardDelivery(aws.secrets['shop']?.[0] ?? '', `msg_${runs}_${id}`, type, data, happenedAt);
  const shelf = `shelf_${runs}`;

  const credited = shop('credited', 'credited');
  const deliveries = [
    credited,
    credited,
    // Too large for a message.
    shop('broken', 'broken', { pad: 'x'.repeat(1_000_000) }),
    shop('first', 'moved', { shelf, sequence: 2 }),
    shop('last', 'moved', { shelf, sequence: 1 }),
    shop('old', 'credited', {}, LONG_AGO),
  ];
  const answers: Answer[] = [];
  for (const delivery of deliveries) answers.push(await send(aws.apiUrl, 'shop', delivery));
  return answers;
}

/** Ids of all events that were ever given to `work` to be applied. */
const given: string[] = [];

/** Gives `work` one message of each kind. */
async function useWork(): Promise<void> {
  runs += 1;
  given.push(`msg_${runs}_credited`, `msg_${runs}_moved`);
  const body = (data: object) => ({ kind: 'inline', bytes: Buffer.from(JSON.stringify({ data })) }) as const;
  const envelope = (name: string, type: string, changes: Partial<Envelope> = {}): Envelope => ({
    source: 'shop',
    eventId: `msg_${runs}_${name}`,
    types: [type],
    receivedAt: epochMs(Date.now()),
    occurredAt: undefined,
    contentEncoding: undefined,
    itemIndex: undefined,
    headers: {},
    body: body({}),
    notBefore: undefined,
    postponedSince: undefined,
    force: false,
    parked: undefined,
    ...changes,
  });
  await fill('events', [
    { body: encodeEnvelope(envelope('credited', 'credited')) },
    { body: encodeEnvelope(envelope('moved', 'moved', { body: body({ shelf: `shelf_${runs}`, sequence: 1 }) })) },
    { body: encodeEnvelope(envelope('later', 'later')) },
    { body: encodeEnvelope(envelope('broken', 'broken')) },
    { body: encodeEnvelope(envelope('old', 'credited', { receivedAt: epochMs(LONG_AGO.getTime()) })) },
    {
      body: encodeEnvelope(
        envelope('gone', 'credited', { body: { kind: 'stored', bucket: aws.buckets['bodies'] ?? '', key: 'gone' } }),
      ),
    },
  ]);
}

/** Gives `consume` one message of each kind. */
async function useConsume(): Promise<void> {
  runs += 1;
  const message = (name: string, body: string, at = new Date()) => ({
    body,
    attributes: { id: `shop#${name}_${runs}#1`, topic: 'credited', createdAt: at.toISOString() },
  });
  await fill('outbox', [
    message('good', '{"account":"shop_iam"}'),
    message('broken', 'null'),
    message('old', '{"account":"shop_iam"}', LONG_AGO),
  ]);
}

async function fill(
  queue: string,
  messages: readonly { readonly body: string; readonly attributes?: Readonly<Record<string, string>> }[],
): Promise<void> {
  const { Failed: failed = [] } = await sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: aws.queues[queue],
      Entries: messages.map(({ body, attributes = {} }, n) => ({
        Id: String(n),
        MessageBody: body,
        MessageAttributes: Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
        ),
      })),
    }),
  );
  expect(failed).toEqual([]);
}

/** Ids of all messages that were ever owed here, beside those of events. */
const owed: string[] = [];

/** Writes a message's row as a commit does, or as a failed sending leaves it. */
async function owe(name: string, state: 'new' | 'retry'): Promise<void> {
  runs += 1;
  const id = `shop#${name}_${runs}#0`;
  owed.push(id);
  const at = state === 'new' ? Date.now() : Date.now() - 3_600_000;
  const payload = '{"account":"shop_iam"}';
  const row = { id, topic: 'iam', payload, createdAtMs: at, dueAtMs: at, state, attempts: 0 };
  await tables.send(new PutCommand({ TableName: aws.tables['outbox'], Item: row }));
}

/** Gives `dispatch`, and Lambda in its name, one message of each kind. */
async function useDispatch(): Promise<void> {
  await owe('sent', 'new');
  await owe('unsent', 'new');
  await owe('unsettled', 'new');
}

/** Gives `sweep` one message of each kind. */
async function useSweep(): Promise<void> {
  await owe('unsent', 'retry');
  await owe('swept', 'retry');
  await aws.fireSchedule('sweep');
}

const outcomes = (answers: readonly Answer[]) => answers.map(({ outcome }) => outcome);

const USES: Readonly<Record<string, (() => Promise<unknown>) | undefined>> = {
  receive: useReceive,
  work: useWork,
  dispatch: useDispatch,
  sweep: useSweep,
  consume: useConsume,
};

describe('the functions on local AWS', () => {
  it('use every grant of their policies, and are refused nothing', async () => {
    const [answers] = await Promise.all([useReceive(), useWork(), useDispatch(), useSweep(), useConsume()]);

    expect(outcomes(answers)).toEqual(['processed', 'duplicate', 'queued', 'processed', 'superseded', 'expired']);
    await expect.poll(() => aws.gateway.iam.unusedGrants(), { timeout: 30_000 }).toEqual([]);
    expect(aws.gateway.iam.denied).toEqual([]);
  });

  it('have a grant that nothing uses noticed', async () => {
    const [, , , first] = await useReceive();

    expect(first?.outcome).toBe('processed');
    expect(aws.gateway.iam.unusedGrants().map(({ action }) => action)).toEqual(
      expect.arrayContaining(['dynamodb:Scan']),
    );
  });
});

/** The grants of these functions, each withheld in turn; one function beside the other. */
async function withholdEach(functionKeys: readonly string[]): Promise<void> {
  await Promise.all(
    functionKeys.map(async (functionKey) => {
      // Read from the running stack, so a new grant is tried without being written down here.
      const grants = aws.gateway.iam.grants.filter((grant) => grant.functionKey === functionKey);
      expect(grants.length).toBeGreaterThan(0);
      for (const grant of grants) await withhold(grant);
    }),
  );
}

async function withhold(grant: Access): Promise<void> {
  const { iam } = aws.gateway;
  const { functionKey, action } = grant;
  const isOfLogs = action.startsWith('logs:');
  // An instance reads the secret once, well or not, and one whose lines were refused once says no more.
  const isRemembered = isOfLogs || action.startsWith('secretsmanager:');
  if (isRemembered) await aws.killInstances(functionKey);
  const refused = () => iam.denied.filter((access) => covers(grant, access));
  expect(refused()).toEqual([]);

  const giveBack = iam.withhold(grant);
  try {
    const answers = await USES[functionKey]?.();
    const message = `${JSON.stringify(grant)} is withheld, and nothing needs it`;
    await expect.poll(refused, { message, timeout: 30_000, interval: 20 }).not.toEqual([]);
    // Lambda loses the lines of a function that may not write them, and goes on.
    if (functionKey === 'receive' && !isOfLogs) {
      expect(answers, JSON.stringify(grant)).toContainEqual(
        expect.objectContaining({ status: expect.toBeOneOf([500, 503]) }),
      );
    }
  } finally {
    giveBack();
    if (isRemembered) await aws.killInstances(functionKey);
  }

  const { resource } = refused()[0] ?? grant;
  expect(aws.logs.entries).toContainEqual(
    expect.objectContaining({
      functionKey,
      from: 'platform',
      text: expect.stringContaining(`is not authorized to perform: ${action} on resource: ${resource}`),
    }),
  );
}

describe('without one grant of its policy', () => {
  it('each function is refused by name, action and resource, and its events are not acknowledged', async () => {
    await aws.mappings.pause('consume');

    await withholdEach(['receive', 'work', 'dispatch', 'sweep']);
  });

  it('no message is lost: each is in its queue, has been consumed or still has its row', async () => {
    const consumed = new Set(await idsIn('inbox'));
    const kept = new Set([...(await idsIn('outbox')), ...(await queuedIds())]);

    expect(owed.filter((id) => !kept.has(id) && !consumed.has(inboxKey(OUTBOX_SOURCE, id)))).toEqual([]);
  });

  it('the consumer is refused likewise', async () => {
    aws.mappings.resume('consume');

    await withholdEach(['consume']);
  });

  it('no event is lost: what was kept from working is applied once it may', async () => {
    const unapplied = async () => {
      const { Items: rows = [] } = await tables.send(
        new ScanCommand({ TableName: aws.tables['inbox'], ConsistentRead: true }),
      );
      const applied = new Set(rows.flatMap(({ status, eventId }) => (status === 'processed' ? [eventId] : [])));
      return given.filter((id) => !applied.has(id));
    };

    await expect.poll(unapplied, { timeout: 90_000 }).toEqual([]);
  });
});

const idsIn = async (table: string): Promise<readonly string[]> =>
  ((await tables.send(new ScanCommand({ TableName: aws.tables[table], ConsistentRead: true }))).Items ?? []).map(
    ({ id }) => String(id),
  );

/** Takes every message out of the outbox queue. */
async function queuedIds(): Promise<readonly string[]> {
  const QueueUrl = aws.queues['outbox'];
  const ids: string[] = [];
  for (;;) {
    const { Messages: messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['id'] }),
    );
    if (messages.length === 0) return ids;
    for (const { MessageAttributes: attributes, ReceiptHandle } of messages) {
      ids.push(attributes?.['id']?.StringValue ?? '');
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}
