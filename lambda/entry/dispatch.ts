/**
 * The dispatch function: the outbox table's stream to the outbox queue.
 */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createDynamoClient } from '../adapters/dynamodb/client.ts';
import { createOutboxStore } from '../adapters/dynamodb/outbox-store.ts';
import { createSqsClient } from '../adapters/sqs/client.ts';
import { createOutboxQueue } from '../adapters/sqs/outbox-queue.ts';
import { startInvocation, systemClock } from '../adapters/system.ts';
import { createOutboxTelemetry } from '../adapters/telemetry/outbox-telemetry.ts';
import { type BatchResponse, dispatchBatch } from '../dispatch/dispatch-batch.ts';
import { readRecords } from '../dispatch/read-records.ts';
import { readDispatchConfig } from './outbox-config.ts';

const config = readDispatchConfig(process.env);
const telemetry = createOutboxTelemetry();
const deps = {
  store: createOutboxStore(createDynamoClient(), config.outboxTable),
  queue: createOutboxQueue(createSqsClient(), config.queue),
  clock: systemClock,
  telemetry,
};

async function dispatch(event: unknown, context: Context): Promise<BatchResponse> {
  const invocation = startInvocation(context.getRemainingTimeInMillis());
  try {
    return await dispatchBatch(deps, readRecords(event), invocation);
  } finally {
    invocation.end();
  }
}

/** Early answers are off, as in `receive`: one would count unsent messages as sent. */
export const handler = middy({ timeoutEarlyInMillis: 0 })
  .before(({ context }) => telemetry.setRequestId(context.awsRequestId))
  .handler(dispatch);
