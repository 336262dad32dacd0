import { SQSClient } from '@aws-sdk/client-sqs';

/**
 * The client of the functions: time-outs set, one repetition inside the SDK.
 *
 * @param requestTimeoutMs Less where somebody waits for an answer.
 */
export const createSqsClient = (requestTimeoutMs = 3000): SQSClient =>
  new SQSClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 700, requestTimeout: requestTimeoutMs, throwOnRequestTimeout: true },
  });
