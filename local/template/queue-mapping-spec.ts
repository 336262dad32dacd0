import type { FunctionSpec } from '../functions/function-spec.ts';
import type { QueueMappingSpec } from '../mappings/mapping-spec.ts';
import { Problem } from '../problem.ts';
import { functionOf } from './function-of.ts';
import type { MappingReader } from './mapping-reader.ts';
import type { QueueSpec } from './queue-specs.ts';
import { listOf, recordOf } from './template.ts';

const KNOWN = new Set([
  'BatchSize',
  'Enabled',
  'EventSourceArn',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumBatchingWindowInSeconds',
  'ScalingConfig',
  'Tags',
]);

/** CloudFormation's default for a queue. */
const DEFAULT_BATCH_SIZE = 10;

/** Lambda begins with five pollers and grows from there; a small machine is served well with as many. */
const DEFAULT_CONCURRENCY = 5;

/** SQS's default. */
const DEFAULT_VISIBILITY_SECONDS = 30;

/**
 * Reads a mapping from a queue by the limits of Lambda.
 *
 * @throws Problem for what Lambda refuses, and for what local AWS does not know of a queue's mapping.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
export function readQueueMapping(
  { logicalId, read, allowOnly }: MappingReader,
  queue: QueueSpec,
  functions: readonly FunctionSpec[],
): QueueMappingSpec {
  allowOnly(KNOWN);
  const wholeNumber = (property: string, value: unknown, [least, most]: readonly [number, number]): number => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new Problem(`${logicalId} has the ${property} ${JSON.stringify(value)}: Lambda takes ${least} to ${most}`);
  };

  const isFifo = queue.attributes['FifoQueue'] === 'true';
  const windowSeconds = wholeNumber('MaximumBatchingWindowInSeconds', read('MaximumBatchingWindowInSeconds') ?? 0, [
    0,
    isFifo ? 0 : 300,
  ]);
  // More than one poll brings needs the time for a second one.
  const largestBatch = isFifo || windowSeconds === 0 ? 10 : 10_000;
  const batchSize = wholeNumber('BatchSize', read('BatchSize') ?? DEFAULT_BATCH_SIZE, [1, largestBatch]);
  const concurrency = recordOf(read('ScalingConfig'))['MaximumConcurrency'];
  const responseTypes = listOf(read('FunctionResponseTypes'));
  const strange = responseTypes.find((type) => type !== 'ReportBatchItemFailures');
  if (strange !== undefined)
    throw new Problem(`${logicalId} has the response type ${strange}: Lambda knows ReportBatchItemFailures`);

  const { key, name, timeoutMs } = functionOf(read('FunctionName'), functions, logicalId);
  const visibilitySeconds = Number(queue.attributes['VisibilityTimeout'] ?? DEFAULT_VISIBILITY_SECONDS);
  if (visibilitySeconds * 1000 < timeoutMs) {
    throw new Problem(
      `${logicalId} is refused by Lambda: the visibility timeout of ${queue.logicalId}, ${visibilitySeconds} s, is less than the ${timeoutMs / 1000} s that ${name} may take`,
    );
  }
  return {
    from: 'queue',
    logicalId,
    queueName: queue.name,
    queueArn: queue.arn,
    functionKey: key,
    functionName: name,
    batchSize,
    windowMs: windowSeconds * 1000,
    maxConcurrency:
      concurrency === undefined ? DEFAULT_CONCURRENCY : wholeNumber('MaximumConcurrency', concurrency, [2, 1000]),
    reportsItemFailures: responseTypes.length > 0,
  };
}
