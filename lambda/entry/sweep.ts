/**
 * The sweep function: every minute, whatever is still owed to the outbox queue.
 */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createDynamoClient } from '../adapters/dynamodb/client.ts';
import { createOutboxStore } from '../adapters/dynamodb/outbox-store.ts';
import { createSqsClient } from '../adapters/sqs/client.ts';
import { createOutboxQueue } from '../adapters/sqs/outbox-queue.ts';
import { startInvocation, systemClock } from '../adapters/system.ts';
import { createOutboxTelemetry } from '../adapters/telemetry/outbox-telemetry.ts';
import { type Swept, sweep } from '../sweep/sweep.ts';
import { readSweepConfig } from './outbox-config.ts';

const config = readSweepConfig(process.env);
const telemetry = createOutboxTelemetry();
const deps = {
  store: createOutboxStore(createDynamoClient(), config.outboxTable),
  queue: createOutboxQueue(createSqsClient(), config.queue),
  clock: systemClock,
  telemetry,
  after: config.after,
};

async function run(_event: unknown, context: Context): Promise<Swept> {
  const invocation = startInvocation(context.getRemainingTimeInMillis());
  try {
    return await sweep(deps, invocation);
  } finally {
    invocation.end();
  }
}

export const handler = middy({ timeoutEarlyInMillis: 0 })
  .before(({ context }) => telemetry.setRequestId(context.awsRequestId))
  .handler(run);
