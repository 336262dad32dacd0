import type { SQSClient } from '@aws-sdk/client-sqs';
import { createInboxStore } from '../../../lambda/adapters/dynamodb/inbox-store.ts';
import { createMessageVisibility } from '../../../lambda/adapters/sqs/message-visibility.ts';
import { createOutboxDeadLetters } from '../../../lambda/adapters/sqs/outbox-dead-letters.ts';
import { type MessageHandler, onceConsumer } from '../../../lambda/authoring/once-consumer.ts';
import { type ConsumeDeps, consumeBatch, MAX_ATTEMPTS, RETRY_AFTER } from '../../../lambda/consume/consume.ts';
import type { MessageName } from '../../../lambda/core/message-ports.ts';
import type { EventOutcome } from '../../../lambda/core/outcome.ts';
import { days, milliseconds, plus, toIso } from '../../../lambda/core/time.ts';
import { createProcessEvent } from '../../../lambda/process/process-event.ts';
import { readMessages } from '../../../lambda/work/read-messages.ts';
import { createMemoryStage, TABLES } from '../../support/dynamodb-stage.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { anOutboxQueue, DLQ_URL, QUEUE_URL } from './an-outbox-queue.ts';

export const ID = 'stripe#evt_1#1';
const INVOCATION_MS = 30_000;

export interface Put {
  readonly id?: string;
  readonly topic?: string;
  readonly group?: string;
  readonly payload?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

interface Wishes {
  readonly isFifo?: boolean;
  readonly clock?: ManualClock;
  /** A real server in the place of the queue in memory. */
  readonly sqs?: { readonly client: Pick<SQSClient, 'send'>; readonly queueUrl: string; readonly dlqUrl: string };
}

/** The consumer over DynamoDB in memory and a queue that keeps time by the test's clock. */
export async function aConsumer(handle: MessageHandler<never>, wishes: Wishes = {}) {
  const { isFifo = false, clock = createManualClock() } = wishes;
  const stage = await createMemoryStage();
  const queue = anOutboxQueue(clock, isFifo);
  const sqs = wishes.sqs ?? { client: queue.client, queueUrl: QUEUE_URL, dlqUrl: DLQ_URL };
  const ended: { readonly name: MessageName; readonly outcome: EventOutcome }[] = [];
  const warnings: string[] = [];
  let tokens = 0;
  const telemetry: ConsumeDeps['telemetry'] = {
    messageEnded: (name, outcome) => void ended.push({ name, outcome }),
    attemptMeasured: () => {},
    warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  const chance = { token: () => `token-${++tokens}`, random: () => 0.5 };
  const deps: ConsumeDeps = {
    consumer: onceConsumer(handle),
    deadLetters: createOutboxDeadLetters(sqs.client, { url: sqs.dlqUrl, isFifo }),
    visibility: createMessageVisibility(sqs.client, sqs.queueUrl, telemetry),
    clock,
    chance,
    telemetry,
    processEvent: createProcessEvent({
      inbox: createInboxStore(stage.client, { inbox: TABLES.inbox }),
      clock,
      chance,
      telemetry,
      window: days(14),
      joinMs: milliseconds(0),
      maxAttempts: MAX_ATTEMPTS,
      retryAfter: RETRY_AFTER,
      reservedTables: [TABLES.inbox],
      keysOf: () => undefined,
    }),
  };
  const consume = (event: unknown, remainingMs = INVOCATION_MS) =>
    consumeBatch(deps, readMessages(event), {
      endsAt: plus(clock.now(), remainingMs),
      signal: new AbortController().signal,
    });
  return {
    stage,
    clock,
    queue,
    ended,
    warnings,
    consume,
    kinds: () => ended.map(({ outcome }) => outcome.kind),
    balance: async () => (await stage.items('accounts')).find(({ accountId }) => accountId === 'acct-1')?.['balance'],
    rows: () => stage.items('inbox'),
    put({ id = ID, topic = 'receipt.requested', group, payload = '{"amount":5}', attributes }: Put = {}) {
      const own = attributes ?? {
        id,
        topic,
        createdAt: toIso(clock.now()),
        ...(group === undefined ? {} : { group }),
      };
      queue.put(payload, own, group);
    },
    /** One batch, from the queue to what Lambda deletes. @returns the ids that were kept. */
    async round(remainingMs?: number) {
      const event = queue.receive();
      const { batchItemFailures } = await consume(event, remainingMs);
      const kept = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
      queue.settle(event.Records, kept);
      return kept;
    },
  };
}

/** Adds the amount in the payload to `acct-1`. */
export const addAmount: MessageHandler<{ readonly amount: number | bigint }> = async ({ payload }, work) => {
  work.write({
    Update: {
      TableName: TABLES.accounts,
      Key: { accountId: 'acct-1' },
      UpdateExpression: 'ADD balance :amount',
      ExpressionAttributeValues: { ':amount': payload.amount },
    },
  });
};
