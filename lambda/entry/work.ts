/**
 * The work function: the events queue's messages, each to its end.
 */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createDynamoClient } from '../adapters/dynamodb/client.ts';
import { createInboxStore } from '../adapters/dynamodb/inbox-store.ts';
import { createBodyStore } from '../adapters/s3/body-store.ts';
import { createSqsClient } from '../adapters/sqs/client.ts';
import { createDeadLetters, createEventsQueue } from '../adapters/sqs/events-queue.ts';
import { createMessageVisibility } from '../adapters/sqs/message-visibility.ts';
import { startInvocation, systemChance, systemClock } from '../adapters/system.ts';
import { createTelemetry } from '../adapters/telemetry/telemetry.ts';
import { tableKeys } from '../authoring/define-tables.ts';
import { milliseconds } from '../core/time.ts';
import { sources } from '../handlers/sources.ts';
import { tables } from '../handlers/tables.ts';
import { createProcessEvent } from '../process/process-event.ts';
import { readMessages } from '../work/read-messages.ts';
import { createWork } from '../work/work.ts';
import { type QueueBatchResponse, workThrough } from '../work/work-through.ts';
import { readWorkConfig } from './process-config.ts';

const config = readWorkConfig(process.env);
const telemetry = createTelemetry('events-queue');
const clock = systemClock;
const sqs = createSqsClient();
const bodies = createBodyStore(config.bodiesBucket);
const work = createWork({
  sources,
  events: createEventsQueue(sqs, config.eventsQueueUrl, bodies),
  deadLetters: createDeadLetters(sqs, config.eventsDlqUrl, bodies),
  bodies,
  visibility: createMessageVisibility(sqs, config.eventsQueueUrl, telemetry),
  clock,
  chance: systemChance,
  telemetry,
  retryAfter: config.retryAfter,
  processEvent: createProcessEvent({
    inbox: createInboxStore(createDynamoClient(), config.tables),
    clock,
    chance: systemChance,
    telemetry,
    window: config.window,
    // Nobody waits for the answer, and a message comes again by itself.
    joinMs: milliseconds(0),
    maxAttempts: config.maxAttempts,
    retryAfter: config.retryAfter,
    reservedTables: Object.values(config.tables),
    keysOf: tableKeys(tables),
  }),
});

async function answer(event: unknown, context: Context): Promise<QueueBatchResponse> {
  const invocation = startInvocation(context.getRemainingTimeInMillis());
  try {
    return await workThrough(readMessages(event), (message) => work(message, invocation));
  } finally {
    invocation.end();
  }
}

/** Early answers are off, as in `receive`: one would delete messages that nobody has worked through. */
export const handler = middy({ timeoutEarlyInMillis: 0 })
  .before(({ context }) => telemetry.setRequestId(context.awsRequestId))
  .handler(answer);
