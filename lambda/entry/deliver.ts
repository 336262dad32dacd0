/**
 * The deliver function: messages of the outbox queue, split by target, and messages of the deliveries queue, posted.
 */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createHttpPost } from '../adapters/http/post.ts';
import { createSigningSecrets } from '../adapters/secrets/signing-secrets.ts';
import { createSqsClient } from '../adapters/sqs/client.ts';
import { createDeliveriesQueue } from '../adapters/sqs/deliveries-queue.ts';
import { createMessageVisibility } from '../adapters/sqs/message-visibility.ts';
import { startInvocation, systemChance, systemClock } from '../adapters/system.ts';
import { createDeliverTelemetry } from '../adapters/telemetry/deliver-telemetry.ts';
import { isPublicAddress } from '../authoring/public-address.ts';
import { createDeliver } from '../deliver/deliver.ts';
import { readMessages } from '../work/read-messages.ts';
import { type QueueBatchResponse, workThrough } from '../work/work-through.ts';
import { readDeliverConfig } from './deliver-config.ts';

const config = readDeliverConfig(process.env);
const telemetry = createDeliverTelemetry();
const clock = systemClock;
const sqs = createSqsClient();
const secretsClient = new SecretsManagerClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 700, requestTimeout: 1500, throwOnRequestTimeout: true },
});
const deliver = createDeliver({
  targets: config.targets,
  deliveries: createDeliveriesQueue(sqs, config.deliveries),
  visibility: createMessageVisibility(sqs, config.deliveries.url, telemetry),
  secrets: createSigningSecrets(secretsClient, config.signingSecretId, clock),
  post: createHttpPost({ isAllowed: isPublicAddress }),
  clock,
  chance: systemChance,
  telemetry,
});

async function answer(event: unknown, context: Context): Promise<QueueBatchResponse> {
  const invocation = startInvocation(context.getRemainingTimeInMillis());
  try {
    return await workThrough(readMessages(event), (message) => deliver(message, invocation));
  } finally {
    invocation.end();
  }
}

/** Early answers are off, as in `receive`: one would delete messages that no target has. */
export const handler = middy({ timeoutEarlyInMillis: 0 })
  .before(({ context }) => telemetry.setRequestId(context.awsRequestId))
  .handler(answer);
