/**
 * The receive function: reads the environment, joins flows to adapters, and leaves only what cuts
 * across every request to the middleware. The steps of the work are in `receive/receive.ts`.
 */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createHttpsExchange } from '../adapters/documents/https-request.ts';
import { createProviderDocuments } from '../adapters/documents/provider-documents.ts';
import { createDynamoClient } from '../adapters/dynamodb/client.ts';
import { createInboxStore } from '../adapters/dynamodb/inbox-store.ts';
import { createBodyStore } from '../adapters/s3/body-store.ts';
import { createSigningSecrets } from '../adapters/secrets/signing-secrets.ts';
import { createSqsClient } from '../adapters/sqs/client.ts';
import { createDeadLetters, createEventsQueue } from '../adapters/sqs/events-queue.ts';
import { startInvocation, systemChance, systemClock } from '../adapters/system.ts';
import { createTelemetry } from '../adapters/telemetry/telemetry.ts';
import { tableKeys } from '../authoring/define-tables.ts';
import { summarise } from '../core/outcome.ts';
import { sources } from '../handlers/sources.ts';
import { tables } from '../handlers/tables.ts';
import { createProcessEvent } from '../process/process-event.ts';
import { createReceive } from '../receive/receive.ts';
import { readRequest } from '../receive/request.ts';
import { type HttpAnswer, notARequest, respond, unexpected } from '../receive/respond.ts';
import { readReceiveConfig } from './process-config.ts';

const config = readReceiveConfig(process.env);
const telemetry = createTelemetry();
const clock = systemClock;
const secretsClient = new SecretsManagerClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 700, requestTimeout: 1500, throwOnRequestTimeout: true },
});
/** Less than the providers wait that wait least. */
const QUEUE_TIMEOUT_MS = 1500;
const sqs = createSqsClient(QUEUE_TIMEOUT_MS);
const bodies = createBodyStore(config.bodiesBucket, QUEUE_TIMEOUT_MS);
const receive = createReceive({
  sources,
  clock,
  telemetry,
  maxBodyBytes: config.maxBodyBytes,
  events: createEventsQueue(sqs, config.eventsQueueUrl, bodies),
  deadLetters: createDeadLetters(sqs, config.eventsDlqUrl, bodies),
  secrets: createSigningSecrets(secretsClient, config.signingSecretId, clock),
  documents: createProviderDocuments(createHttpsExchange(), clock),
  processEvent: createProcessEvent({
    inbox: createInboxStore(createDynamoClient(), config.tables),
    clock,
    chance: systemChance,
    telemetry,
    window: config.window,
    joinMs: config.joinMs,
    maxAttempts: config.maxAttempts,
    retryAfter: config.retryAfter,
    reservedTables: Object.values(config.tables),
    keysOf: tableKeys(tables),
  }),
});

async function answer(event: unknown, context: Context): Promise<HttpAnswer> {
  const request = readRequest(event, clock.now());
  if (request === undefined) {
    telemetry.warn('not a request of an HTTP API in payload format 2.0', {});
    return notARequest();
  }
  const invocation = startInvocation(context.getRemainingTimeInMillis());
  try {
    return respond(await receive(request, invocation));
  } finally {
    invocation.end();
  }
}

/**
 * Answering early when time runs out is switched off: an answer would freeze a handler that is still
 * running, and a later invocation would thaw it. Lambda kills it instead, and its lease ends.
 */
export const handler = middy({ timeoutEarlyInMillis: 0 })
  .before(({ context }) => telemetry.setRequestId(context.awsRequestId))
  .onError((request) => {
    const { name, message } = summarise(request.error);
    telemetry.unexpected(name, message);
    request.response = unexpected();
  })
  .handler(answer);
