import { randomUUID } from 'node:crypto';
import type { StreamRecord } from './stream-record.ts';

/** Why Lambda gave up on a batch. */
export type DiscardCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

export interface DiscardedBatch {
  readonly condition: DiscardCondition;
  readonly functionArn: string;
  readonly streamArn: string;
  readonly shardId: string;
  readonly records: readonly StreamRecord[];
  /** How often the function was run with it. */
  readonly invokeCount: number;
  /** Whether the last of them ended in an error, and not in an answer. */
  readonly functionError: boolean;
}

/**
 * The body of the message that Lambda sends to a mapping's failure destination: where the records
 * are in the stream, and not what is in them.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export function buildDiscardMessage(batch: DiscardedBatch, nowMs: number): string {
  const { records, streamArn, shardId } = batch;
  const [first, last] = [records[0], records.at(-1)];
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: batch.functionArn,
      condition: batch.condition,
      approximateInvokeCount: batch.invokeCount,
    },
    ...(batch.invokeCount > 0 && {
      responseContext: {
        statusCode: 200,
        executedVersion: '$LATEST',
        functionError: batch.functionError ? 'Unhandled' : null,
      },
    }),
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: last?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: records.length,
      streamArn,
    },
  });
}

const arrivalOf = (record: StreamRecord | undefined): string =>
  new Date((record?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
