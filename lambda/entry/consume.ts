/**
 * The consume function: the outbox queue's messages, each applied once.
 */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createDynamoClient } from '../adapters/dynamodb/client.ts';
import { createInboxStore } from '../adapters/dynamodb/inbox-store.ts';
import { createSqsClient } from '../adapters/sqs/client.ts';
import { createMessageVisibility } from '../adapters/sqs/message-visibility.ts';
import { createOutboxDeadLetters } from '../adapters/sqs/outbox-dead-letters.ts';
import { startInvocation, systemChance, systemClock } from '../adapters/system.ts';
import { createConsumerTelemetry } from '../adapters/telemetry/consumer-telemetry.ts';
import { tableKeys } from '../authoring/define-tables.ts';
import { type ConsumeDeps, consumeBatch, MAX_ATTEMPTS, RETRY_AFTER } from '../consume/consume.ts';
import { milliseconds } from '../core/time.ts';
import { consumer } from '../handlers/consumer.ts';
import { tables } from '../handlers/tables.ts';
import { createProcessEvent } from '../process/process-event.ts';
import { readMessages } from '../work/read-messages.ts';
import type { QueueBatchResponse } from '../work/work-through.ts';
import { readConsumeConfig, requireConsumer } from './consume-config.ts';

const config = readConsumeConfig(process.env);
const telemetry = createConsumerTelemetry();
const clock = systemClock;
const sqs = createSqsClient();

/** A copy that waits this long for the running one mostly becomes a duplicate, and costs no receive. */
const JOIN_MS = 1000;

const deps: ConsumeDeps = {
  consumer: requireConsumer(consumer),
  deadLetters: createOutboxDeadLetters(sqs, config.deadLetters),
  visibility: createMessageVisibility(sqs, config.outboxQueueUrl, telemetry),
  clock,
  chance: systemChance,
  telemetry,
  processEvent: createProcessEvent({
    inbox: createInboxStore(createDynamoClient(), { inbox: config.inboxTable }),
    clock,
    chance: systemChance,
    telemetry,
    window: config.window,
    joinMs: milliseconds(JOIN_MS),
    maxAttempts: MAX_ATTEMPTS,
    retryAfter: RETRY_AFTER,
    reservedTables: [config.inboxTable],
    keysOf: tableKeys(tables),
  }),
};

async function consume(event: unknown, context: Context): Promise<QueueBatchResponse> {
  const invocation = startInvocation(context.getRemainingTimeInMillis());
  try {
    return await consumeBatch(deps, readMessages(event), invocation);
  } finally {
    invocation.end();
  }
}

/** Early answers are off, as in `receive`: one would delete messages that nobody has worked through. */
export const handler = middy({ timeoutEarlyInMillis: 0 })
  .before(({ context }) => telemetry.setRequestId(context.awsRequestId))
  .handler(consume);
