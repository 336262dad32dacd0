import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * One lost answer is made good inside the SDK; what comes after is the protocol's own decision,
 * which knows how much time is left.
 */
const MAX_ATTEMPTS = 2;

/** DynamoDB answers in single-digit milliseconds; the SDK's own default is to wait for ever. */
const CONNECTION_TIMEOUT_MS = 700;
const REQUEST_TIMEOUT_MS = 1000;

/** The client of every function: time-outs set, so that a silent server costs seconds and not the invocation. */
export const createDynamoClient = (): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
