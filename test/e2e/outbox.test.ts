import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultRule } from '../../local/faults/rule.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { send, stripeDelivery } from './official-senders.ts';

let aws: LocalAws;
let sqs: SQSClient;
let dynamodb: DynamoDBClient;
let events = 0;

beforeAll(async () => {
  aws = await startTestAws({
    schedules: false,
    context: { sweepAfterSeconds: '5' },
  });
  // The tests take the messages out of the queue themselves.
  await aws.mappings.pause('consume');
  const { region, credentials, endpoints } = aws;
  sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials: { ...credentials } });
  dynamodb = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: { ...credentials } });
});
afterAll(async () => {
  sqs?.destroy();
  dynamodb?.destroy();
  await aws?.stop();
});
beforeEach(() => {
  events += 1;
});

/** Takes messages out of the outbox queue until that of the present event comes. */
async function message(): Promise<Message | undefined> {
  const QueueUrl = aws.queues['outbox'];
  for (let polls = 0; polls < 10; polls += 1) {
    const { Messages: [next] = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ['All'], WaitTimeSeconds: 5 }),
    );
    if (next === undefined) return undefined;
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: next.ReceiptHandle }));
    if (next.MessageAttributes?.['id']?.StringValue?.startsWith(`stripe#${eventId()}#`)) return next;
  }
  return undefined;
}

const eventId = (): string => `evt_outbox_${events}`;

async function rows(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { Items: items = [] } = await DynamoDBDocumentClient.from(dynamodb).send(
    new ScanCommand({ TableName: aws.tables['outbox'], ConsistentRead: true }),
  );
  return items;
}

/** Rows go a moment after their message has come. */
const expectNoRows = () => expect.poll(rows, { timeout: 5000 }).toEqual([]);

const credit = () =>
  send(aws.apiUrl, 'stripe', stripeDelivery(aws.secrets['stripe']?.[0] ?? '', eventId(), 'cus_outbox', 5));

describe('a message that a handler has sent', () => {
  it('is in the queue with its id and topic, and its row is gone', async () => {
    expect((await credit()).outcome).toBe('processed');

    expect((await message())?.MessageAttributes).toMatchObject({
      id: { DataType: 'String', StringValue: expect.stringContaining(eventId()) },
      topic: { DataType: 'String', StringValue: expect.any(String) },
    });
    await expectNoRows();
  });

  it('is sent by the sweep when the stream is out, as soon as it has been due for long enough', async () => {
    await aws.mappings.pause('dispatch');
    try {
      await credit();
      expect(await rows()).toHaveLength(1);

      expect((await aws.fireSchedule('sweep')).kind).toBe('returned');
      expect(await rows()).toHaveLength(1);
      await expect
        .poll(
          async () => {
            await aws.fireSchedule('sweep');
            return rows();
          },
          { timeout: 15_000, interval: 500 },
        )
        .toEqual([]);

      expect(await message()).toBeDefined();
    } finally {
      aws.mappings.resume('dispatch');
    }
  });

  it('waits in the stream while that is out, and comes when it is back', async () => {
    await aws.mappings.pause('dispatch');
    await credit();
    expect(await rows()).toHaveLength(1);

    aws.mappings.resume('dispatch');

    expect(await message()).toBeDefined();
    await expectNoRows();
  });

  it('comes although dispatch is killed with it in hand', async () => {
    const rule = aws.gateway.faults.use(
      faultRule({ functionKey: 'dispatch', action: 'SendMessageBatch', times: 1, fault: { kind: 'kill-before' } }),
    );
    await credit();

    expect(await message()).toBeDefined();
    expect(rule.injected['kill-before']).toBe(1);
    rule.end();
    await expectNoRows();
  });
});
