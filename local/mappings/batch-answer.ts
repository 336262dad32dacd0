import type { InvocationResult } from '../functions/invocation.ts';
import { readItemFailures } from './item-failures.ts';

/** What a function's answer means for the batch it was given. */
export type BatchAnswer =
  | { readonly kind: 'done' }
  /** What is before the record at this place is done, and the rest comes again. */
  | { readonly kind: 'failed-from'; readonly index: number }
  /** The whole batch has failed, by an error of the function. */
  | { readonly kind: 'failed' }
  /** The function was not run. */
  | { readonly kind: 'throttled' };

/**
 * Reads how a batch of a stream ended. With partial answers, an empty answer and an empty list are
 * success, and of several failures the lowest counts. An answer in another form, or with a number that
 * is not in the batch, fails the whole batch.
 *
 * @param sequenceNumbers of the batch, in order
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function readBatchAnswer(
  result: InvocationResult,
  sequenceNumbers: readonly string[],
  reportsItemFailures: boolean,
): BatchAnswer {
  if (result.kind === 'throttled') return { kind: 'throttled' };
  if (result.kind !== 'returned') return { kind: 'failed' };
  if (!reportsItemFailures) return { kind: 'done' };
  const failures = readItemFailures(result.payload);
  if (failures === 'malformed') return { kind: 'failed-from', index: 0 };
  if (failures.length === 0) return { kind: 'done' };
  // A number that is not in the batch is at -1, before all others.
  const lowest = Math.min(...failures.map((failure) => sequenceNumbers.indexOf(failure)));
  return { kind: 'failed-from', index: Math.max(0, lowest) };
}
