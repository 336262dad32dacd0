/**
 * What becomes of one batch of a stream, up to the point where the shard may go on.
 *
 * A batch that fails comes again until it works, or its retries or its age are at their end; then where
 * it is goes to the failure destination, and it is passed. An answer that names the first record that
 * failed has moved on to it, and the retries are counted anew from there. A split does not count as
 * a retry. A throttled batch is no attempt at all.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html
 */
import { assertNever } from '../../lambda/core/assert-never.ts';
import type { InvocationResult } from '../functions/invocation.ts';
import { readBatchAnswer } from './batch-answer.ts';
import type { DiscardCondition } from './discarded-batch.ts';
import type { StreamMappingSpec } from './mapping-spec.ts';
import type { StreamRecord } from './stream-record.ts';

export interface BatchDeps {
  readonly now: () => number;
  /** Resolves with whether to go on: at once, after a pause, or never with `true` again after the end. */
  readonly mayGoOn: () => Promise<boolean>;
  /** Resolves after so many milliseconds, or earlier at the end. */
  readonly wait: (ms: number) => Promise<void>;
  /** Before the first retry; doubles with each. */
  readonly firstWaitMs: number;
  readonly invoke: (records: readonly StreamRecord[]) => Promise<InvocationResult>;
  /** Asked once of a batch that has worked: whether the function is given it again all the same. */
  readonly repeats: () => boolean;
  /** These records are done with: after a restart they do not come again. */
  readonly passed: (last: StreamRecord) => void;
  readonly discard: (
    records: readonly StreamRecord[],
    why: { readonly condition: DiscardCondition; readonly invokeCount: number; readonly functionError: boolean },
  ) => Promise<void>;
}

type Limits = Pick<StreamMappingSpec, 'bisectsOnError' | 'reportsItemFailures' | 'maxRetries' | 'maxAgeMs'>;

const LONGEST_WAIT_MS = 5000;

/** DynamoDB Local cuts a record's time to the minute; nothing is discarded for being younger than it seems. */
const CUT_MS = 60_000;

/** Resolves when the batch is done or discarded, or at the end. */
export async function deliverBatch(
  records: readonly StreamRecord[],
  limits: Limits,
  deps: BatchDeps,
  tried: { readonly failures: number; readonly invokeCount: number } = { failures: 0, invokeCount: 0 },
): Promise<void> {
  let batch = records;
  let { failures, invokeCount } = tried;
  let waits = failures;
  let functionError = false;
  let repeated = false;

  while (batch.length > 0) {
    if (!(await deps.mayGoOn())) return;
    const young = batch.findIndex((record) => !isTooOld(record, limits, deps.now()));
    const tooOld = batch.slice(0, young < 0 ? batch.length : young);
    if (tooOld.length > 0) {
      await deps.discard(tooOld, { condition: 'RecordAgeExceeded', invokeCount, functionError });
      batch = pass(batch, tooOld.length, deps);
      continue;
    }

    const result = await deps.invoke(batch);
    // An instance that is killed at the end has failed at nothing.
    if (result.kind !== 'returned' && !(await deps.mayGoOn())) return;
    const answer = readBatchAnswer(result, batch.map(sequenceNumberOf), limits.reportsItemFailures);
    if (answer.kind !== 'throttled') invokeCount += 1;
    functionError = result.kind !== 'returned';

    switch (answer.kind) {
      case 'done':
        if (!repeated && deps.repeats()) {
          repeated = true;
          continue;
        }
        pass(batch, batch.length, deps);
        return;
      case 'throttled':
        break;
      case 'failed-from':
        if (answer.index > 0) {
          batch = pass(batch, answer.index, deps);
          failures = 0;
          invokeCount = 1;
          waits = 0;
        }
        failures += 1;
        break;
      case 'failed':
        if (limits.bisectsOnError && batch.length > 1) {
          const middle = Math.ceil(batch.length / 2);
          await deliverBatch(batch.slice(0, middle), limits, deps, { failures, invokeCount });
          await deliverBatch(batch.slice(middle), limits, deps, { failures, invokeCount });
          return;
        }
        failures += 1;
        break;
      default:
        assertNever(answer);
    }

    if (limits.maxRetries !== undefined && failures > limits.maxRetries) {
      await deps.discard(batch, { condition: 'RetryAttemptsExhausted', invokeCount, functionError });
      pass(batch, batch.length, deps);
      return;
    }
    await deps.wait(Math.min(LONGEST_WAIT_MS, deps.firstWaitMs * 2 ** Math.min(waits, 10)));
    waits += 1;
  }
}

function pass(batch: readonly StreamRecord[], count: number, deps: BatchDeps): readonly StreamRecord[] {
  const last = batch[count - 1];
  if (last !== undefined) deps.passed(last);
  return batch.slice(count);
}

const sequenceNumberOf = (record: StreamRecord): string => record.dynamodb.SequenceNumber;

const isTooOld = (record: StreamRecord, { maxAgeMs }: Limits, nowMs: number): boolean =>
  maxAgeMs !== undefined && nowMs - record.dynamodb.ApproximateCreationDateTime * 1000 - CUT_MS > maxAgeMs;
