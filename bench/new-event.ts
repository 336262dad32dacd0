/**
 * What the protocol adds to the AWS calls it makes: a new event through `processEvent` against the
 * same two requests made bare, on one DynamoDB Local. Budget: at most 1.10 of it.
 */
import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { createInboxStore } from '../lambda/adapters/dynamodb/inbox-store.ts';
import { startInvocation, systemChance, systemClock } from '../lambda/adapters/system.ts';
import { inboxKey } from '../lambda/core/inbox-key.ts';
import { days, milliseconds } from '../lambda/core/time.ts';
import { createProcessEvent } from '../lambda/process/process-event.ts';
import { startDynamoDbLocal } from '../local/dynamodb/dynamodb-local.ts';
import { startGuardian } from '../local/processes/guardian.ts';
import { inTurns, median, report } from './round.ts';

const ROUNDS = 31;
const EVENTS_A_ROUND = 40;
const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const tables = { inbox: 'inbox', outbox: 'outbox', sequences: 'sequences' };

const guardian = startGuardian();
const dynamodb = await startDynamoDbLocal({ dataDirectory: undefined, credentials, region: 'us-east-1', guardian });
const client = new DynamoDBClient({ endpoint: dynamodb.url, region: 'us-east-1', credentials });
for (const [table, key] of [
  ['inbox', 'id'],
  ['outbox', 'id'],
  ['accounts', 'accountId'],
] as const) {
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    }),
  );
}

/** What the protocol sent for its last event: the bare variant sends the same, with other ids. */
const sent: { input: object }[] = [];
const recording = {
  send: ((command: { input: object }) => {
    sent.push(command);
    return client.send(command as never);
  }) as DynamoDBClient['send'],
};
const processEvent = createProcessEvent({
  inbox: createInboxStore(recording, tables),
  clock: systemClock,
  chance: systemChance,
  telemetry: { warn: () => {}, attemptMeasured: () => {} },
  window: days(14),
  joinMs: milliseconds(0),
  maxAttempts: 5,
  retryAfter: milliseconds(0),
  reservedTables: Object.values(tables),
  keysOf: () => ['accountId'],
});

async function throughProtocol(): Promise<void> {
  const eventId = randomUUID();
  const invocation = startInvocation(10_000);
  const outcome = await processEvent(
    {
      source: 'bench',
      eventId,
      key: inboxKey('bench', eventId),
      types: ['slip.credited'],
      body: {},
      rawBody: Buffer.from('{}'),
      bodyHash: 'a'.repeat(64),
      contentEncoding: undefined,
      itemIndex: undefined,
      headers: {},
      receivedAt: systemClock.now(),
      occurredAt: undefined,
    },
    {
      deadline: undefined,
      olderThanWindow: 'park',
      postponedSince: undefined,
      sentAt: undefined,
      queue: undefined,
      park: async () => {},
      rule: {
        async handle(_event, work) {
          work.write({
            Update: {
              TableName: 'accounts',
              Key: { accountId: eventId },
              UpdateExpression: 'ADD balance :amount, entries :one',
              ExpressionAttributeValues: { ':amount': 500, ':one': 1 },
            },
          });
          work.emit('receipt.requested', { account: eventId, amount: 500 });
        },
      },
    },
    invocation,
  );
  invocation.end();
  if (outcome.kind !== 'processed') throw new Error(`not processed: ${outcome.kind}`);
}

/** The same requests, built before the clock runs. */
async function bareRequests(): Promise<() => Promise<void>> {
  sent.length = 0;
  await throughProtocol();
  const [put, commit] = sent.map(({ input }) => input);
  const last = idOf(put);
  const fresh = randomUUID();
  const rename = <Input>(input: unknown): Input => JSON.parse(JSON.stringify(input).replaceAll(last, fresh));
  const putAgain = new PutItemCommand(rename<PutItemCommandInput>(put));
  const commitAgain = new TransactWriteItemsCommand({
    ...rename<TransactWriteItemsCommandInput>(commit),
    ClientRequestToken: randomUUID(),
  });
  return async () => {
    await client.send(putAgain);
    await client.send(commitAgain);
  };
}

const idOf = (input: unknown): string => /"eventId":\{"S":"([^"]+)"\}/.exec(JSON.stringify(input))?.[1] ?? '';

const timed = async (work: () => Promise<void>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / EVENTS_A_ROUND;
};

const times = await inTurns(ROUNDS, {
  protocol: () =>
    timed(async () => {
      for (let n = 0; n < EVENTS_A_ROUND; n += 1) await throughProtocol();
    }),
  async bare() {
    const prepared: (() => Promise<void>)[] = [];
    for (let n = 0; n < EVENTS_A_ROUND; n += 1) prepared.push(await bareRequests());
    return timed(async () => {
      for (const request of prepared) await request();
    });
  },
});
const warm = Math.floor(ROUNDS / 3);
const [own, reference] = [median(times.protocol.slice(warm)), median(times.bare.slice(warm))];
report(`A new event with one write and one message, median of ${ROUNDS - warm} rounds of ${EVENTS_A_ROUND}`, [
  ['through the protocol', `${own.toFixed(2)} ms`],
  ['the same two requests, bare', `${reference.toFixed(2)} ms`],
  ['ratio (budget 1.10)', (own / reference).toFixed(2)],
]);
client.destroy();
await dynamodb.stop();
await guardian.stop();
