import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultUse } from '../../local/faults/faults.ts';
import { faultRule } from '../../local/faults/rule.ts';
import { covers } from '../../local/iam/grants.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type Answer, type SignedDelivery, send, standardDelivery, stripeDelivery } from './official-senders.ts';

let aws: LocalAws;
let runs = 0;
let dynamodb: DynamoDBClient;
let tables: DynamoDBDocumentClient;

beforeAll(async () => {
  aws = await startTestAws({
    schedules: false,
    streamRetryMs: 5,
    context: { dispatchOutbox: 'true' },
  });
  const { endpoints, region, credentials } = aws;
  dynamodb = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: { ...credentials } });
  tables = DynamoDBDocumentClient.from(dynamodb);
});
afterAll(async () => {
  dynamodb?.destroy();
  await aws?.stop();
});

beforeEach(async () => {
  // The next instances are cold, and read the secret again.
  await aws.killInstances();
  aws.gateway.iam.forgetAccesses();
});

/** Everything that `receive` does, once: the answers in the order of the deliveries. */
async function useReceive(): Promise<readonly Answer[]> {
  runs += 1;
  const stripe = (id: string, amount: number) =>
    stripeDelivery(aws.secrets['stripe']?.[0] ?? '', `evt_${runs}_${id}`, 'cus_iam', amount);
  const bazaar = (id: string, sequence: number) =>
    standardDelivery(aws.secrets['bazaar']?.[0] ?? '', `msg_${runs}_${id}`, 'account.updated', {
      account: `shop_${runs}`,
      plan: 'gold',
      sequence,
    });

  const credited = stripe('credited', 5);
  return [
    await send(aws.apiUrl, 'stripe', credited),
    await send(aws.apiUrl, 'stripe', credited),
    ...(await sendTwiceAtOnce('stripe', stripe('joined', 5))),
    await send(aws.apiUrl, 'stripe', stripe('fraction', 0.5)),
    await send(aws.apiUrl, 'bazaar', bazaar('first', 2)),
    await send(aws.apiUrl, 'bazaar', bazaar('late', 1)),
  ];
}

/** The copy comes while the first one's commit is under way, and so has to wait for it. */
async function sendTwiceAtOnce(source: string, delivery: SignedDelivery): Promise<readonly Answer[]> {
  const release = Promise.withResolvers<void>();
  const held = aws.gateway.faults.use(
    // Every sending of it: on a busy machine the copy may come later than the first one's patience with one call.
    faultRule({
      action: 'TransactWriteItems',
      times: Number.POSITIVE_INFINITY,
      fault: { kind: 'delay-before', wait: release.promise },
    }),
  );
  const committing = aws.gateway.calls.next(({ action }) => action === 'TransactWriteItems');
  const reading = aws.gateway.calls.next(({ action }) => action === 'GetItem');

  const first = send(aws.apiUrl, source, delivery);
  // Without a grant it may never get as far as the commit.
  await Promise.race([committing, first]);
  const copy = send(aws.apiUrl, source, delivery);
  await Promise.race([reading, copy]);
  release.resolve();
  held.end();
  return Promise.all([first, copy]);
}

/** Ids of all messages that were ever owed here, beside those of events. */
const owed: string[] = [];

/** Writes a message's row as a commit does, or as a failed sending leaves it. */
async function owe(name: string, state: 'new' | 'retry'): Promise<void> {
  const id = `stripe#${name}_${runs}#0`;
  owed.push(id);
  const at = state === 'new' ? Date.now() : Date.now() - 3_600_000;
  const row = { id, topic: 'iam', payload: '{}', createdAtMs: at, dueAtMs: at, state, attempts: 0 };
  await tables.send(new PutCommand({ TableName: aws.tables['outbox'], Item: row }));
}

const rowsOwed = async (): Promise<readonly string[]> =>
  ((await tables.send(new ScanCommand({ TableName: aws.tables['outbox'], ConsistentRead: true }))).Items ?? []).map(
    ({ id }) => String(id),
  );

/** A service that refuses a call of a function, once or for as long as it is in use. */
const refuse = (functionKey: string, action: string, times = Number.POSITIVE_INFINITY): FaultUse =>
  aws.gateway.faults.use(
    faultRule({ functionKey, action, times, fault: { kind: 'refuse', code: 'AccessDeniedException' } }),
  );

/** Waits for what a function does with the stream, or for a refusal: without a grant it may never come to that. */
const until = (happens: () => boolean) =>
  expect.poll(() => aws.gateway.iam.denied.length > 0 || happens(), { timeout: 15_000, interval: 20 }).toBe(true);

const hasUsed = (functionKey: string, action: string, resource = '') =>
  aws.gateway.iam.used.some(
    (access) => access.functionKey === functionKey && access.action === action && access.resource.includes(resource),
  );

/** Everything that `dispatch` does, and what Lambda does in its name, once. */
async function useDispatch(): Promise<void> {
  runs += 1;
  await owe('sent', 'new');
  await until(() => hasUsed('dispatch', 'dynamodb:DeleteItem'));

  const unsent = refuse('dispatch', 'SendMessageBatch');
  await owe('unsent', 'new');
  await until(() => hasUsed('dispatch', 'dynamodb:UpdateItem'));
  unsent.end();

  const unsettled = refuse('dispatch', 'DeleteItem');
  await owe('unsettled', 'new');
  await until(() => hasUsed('dispatch', 'sqs:SendMessage', 'StreamFailures'));
  unsettled.end();
}

/** Everything that `sweep` does, once. */
async function useSweep(): Promise<void> {
  runs += 1;
  await owe('unsent', 'retry');
  const unsent = refuse('sweep', 'SendMessageBatch', 1);
  await aws.fireSchedule('sweep');
  unsent.end();
  await owe('swept', 'retry');
  await aws.fireSchedule('sweep');
}

const outcomes = (answers: readonly Answer[]) => answers.map(({ outcome }) => outcome);

const USES: Readonly<Record<string, (() => Promise<unknown>) | undefined>> = {
  receive: useReceive,
  dispatch: useDispatch,
  sweep: useSweep,
};

const REFUSED = { status: 503, outcome: expect.any(String) };

describe('the functions on local AWS', () => {
  it('use every grant of their policies, and are refused nothing', async () => {
    const answers = await useReceive();
    const last = `msg_${runs}_late`;
    await useDispatch();
    await useSweep();
    await aws.logs.waitFor(({ fields }) => fields?.['eventId'] === last);

    expect(outcomes(answers)).toEqual([
      'processed',
      'duplicate',
      'processed',
      'duplicate',
      'failed',
      'processed',
      'superseded',
    ]);
    expect(aws.gateway.iam.denied).toEqual([]);
    await expect.poll(() => aws.gateway.iam.unusedGrants(), { timeout: 5000 }).toEqual([]);
  });

  it('have a grant that nothing uses noticed', async () => {
    await send(aws.apiUrl, 'stripe', stripeDelivery(aws.secrets['stripe']?.[0] ?? '', 'evt_one', 'cus_iam', 5));

    expect(aws.gateway.iam.unusedGrants().map(({ action }) => action)).toEqual(
      expect.arrayContaining(['dynamodb:GetItem']),
    );
  });
});

describe('without one grant of its policy', () => {
  let giveBack: () => void = () => {};
  afterEach(() => giveBack());

  // Read from the running stack, so a new grant is tried without being written down here.
  it('each function is refused by name, action and resource, and its events are not acknowledged', async () => {
    const { iam } = aws.gateway;
    expect(iam.grants.length).toBeGreaterThan(0);

    for (const grant of iam.grants) {
      await aws.killInstances();
      iam.forgetAccesses();
      giveBack = iam.withhold(grant);

      const answers = await USES[grant.functionKey]?.();
      const refused = () => iam.denied.filter((access) => covers(grant, access));
      // A log line crosses a pipe, and may come a moment after the answer.
      const message = `${JSON.stringify(grant)} is withheld, and nothing needs it`;
      await expect.poll(refused, { message, timeout: 5000 }).not.toEqual([]);
      giveBack();

      const { action, resource } = refused()[0] ?? grant;
      expect(aws.logs.entries).toContainEqual(
        expect.objectContaining({
          functionKey: grant.functionKey,
          from: 'platform',
          text: expect.stringContaining(`is not authorized to perform: ${action} on resource: ${resource}`),
        }),
      );
      // Lambda loses the lines of a function that may not write them, and goes on.
      if (grant.functionKey === 'receive' && !action.startsWith('logs:'))
        expect(answers, JSON.stringify(grant)).toContainEqual(REFUSED);
    }
  });

  it('no message is lost: each is in its queue or still has its row', async () => {
    const kept = new Set([...(await rowsOwed()), ...(await queuedIds())]);

    expect(owed.filter((id) => !kept.has(id))).toEqual([]);
  });
});

/** Takes every message out of the outbox queue. */
async function queuedIds(): Promise<readonly string[]> {
  const { endpoints, region, credentials } = aws;
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials: { ...credentials } });
  const QueueUrl = aws.queues['outbox'];
  const ids: string[] = [];
  for (;;) {
    const { Messages: messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['id'] }),
    );
    if (messages.length === 0) break;
    for (const { MessageAttributes: attributes, ReceiptHandle } of messages) {
      ids.push(attributes?.['id']?.StringValue ?? '');
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
  sqs.destroy();
  return ids;
}
