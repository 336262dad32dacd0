import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutboxQueue } from '../../../lambda/adapters/sqs/outbox-queue.ts';
import type { MessageHandler } from '../../../lambda/authoring/once-consumer.ts';
import { epochMs } from '../../../lambda/core/time.ts';
import { Permanent, RetryLater } from '../../../lambda/oncehook.ts';
import { buildQueueRecord } from '../../../local/mappings/queue-record.ts';
import { type SqsServer, startSqsServer } from '../../../local/sqs/sqs-server.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { aMessage } from '../../support/outbox.ts';
import { A_PLACE } from '../local/fixtures/a-template.ts';
import { aConsumer } from './a-consumer.ts';

const CREDENTIALS = { accessKeyId: 'LOCALSHARED', secretAccessKey: 'secret' };
const OUTBOX = 'outbox.fifo';
const DLQ = 'dead.fifo';
const arnOf = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

let server: SqsServer;
let client: SQSClient;
beforeAll(async () => {
  server = await startSqsServer(A_PLACE, CREDENTIALS);
  client = new SQSClient({ endpoint: server.url, region: A_PLACE.region, credentials: { ...CREDENTIALS } });
  await server.createQueues(
    [DLQ, OUTBOX].map((name) => ({
      logicalId: name,
      name,
      arn: arnOf(name),
      url: '',
      attributes: { FifoQueue: 'true', ContentBasedDeduplication: 'false', VisibilityTimeout: '180' },
    })),
  );
});
afterAll(async () => {
  client?.destroy();
  await server?.close();
});

/** What comes within a minute; nothing would be a fault of the consumer. */
async function receive(queue: string): Promise<readonly Message[]> {
  const signal = AbortSignal.timeout(60_000);
  for (;;) {
    const messages = await server.receive(queue, { max: 10, waitSeconds: 1, signal });
    if (messages.length > 0) return messages;
    await sleep(50, undefined, { signal });
  }
}

describe('a FIFO group on an SQS server', () => {
  it('stays in its order after a failure, and what was given up is in the DLQ as it was sent', async () => {
    const applied: string[] = [];
    let refusals = 1;
    const handle: MessageHandler<never> = async ({ id }) => {
      if (id === 's#e2#1' && refusals-- > 0) throw new RetryLater(1, 'not yet');
      if (id === 's#e3#1') throw new Permanent('never');
      applied.push(id);
    };
    // The server stamps messages with its own time.
    const clock = createManualClock(epochMs(Date.now()));
    const { consume } = await aConsumer(handle, {
      isFifo: true,
      clock,
      sqs: { client, queueUrl: server.urlOf(OUTBOX), dlqUrl: server.urlOf(DLQ) },
    });
    const round = async (): Promise<void> => {
      const messages = await receive(OUTBOX);
      const Records = messages.map((message) => buildQueueRecord(message, arnOf(OUTBOX), A_PLACE.region));
      const { batchItemFailures } = await consume({ Records });
      const kept = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
      await server.deleteMessages(
        OUTBOX,
        Records.filter(({ messageId }) => !kept.includes(messageId)).map(({ receiptHandle }) => receiptHandle),
      );
    };
    const messages = [1, 2, 3, 4].map((n) => aMessage({ id: `s#e${n}#1`, group: 'one', createdAt: clock.now() }));
    await createOutboxQueue(client, { url: server.urlOf(OUTBOX), isFifo: true }).send(messages);

    // SQS gives out as much of a group at once as it likes; this server gives one.
    while ((await server.countMessages())[OUTBOX] !== undefined) await round();

    expect(applied).toEqual(['s#e1#1', 's#e2#1', 's#e4#1']);
    const [sent] = await receive(DLQ);
    expect(sent).toMatchObject({
      Body: '{"amount":5}',
      MessageAttributes: {
        id: { StringValue: 's#e3#1' },
        topic: { StringValue: 'receipt.requested' },
        group: { StringValue: 'one' },
        createdAt: { StringValue: new Date(clock.now()).toISOString() },
        reason: { StringValue: 'permanent' },
      },
    });
    expect(sent?.Attributes?.['MessageGroupId']).toMatch(/^[0-9a-f]{64}$/);
  }, 120_000);
});
