import type { InvocationResult } from '../functions/invocation.ts';
import { readItemFailures } from './item-failures.ts';

/**
 * The messages of a batch that the function is done with, by their ids. With partial answers those that it
 * names have failed; an answer in another form, or with an id that is not in the batch, fails all of them, as
 * does a function that did not return.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function readQueueAnswer(
  result: InvocationResult,
  messageIds: readonly string[],
  reportsItemFailures: boolean,
): readonly string[] {
  if (result.kind !== 'returned') return [];
  if (!reportsItemFailures) return messageIds;
  const failures = readItemFailures(result.payload);
  if (failures === 'malformed' || !failures.every((id) => messageIds.includes(id))) return [];
  return messageIds.filter((id) => !failures.includes(id));
}
