import type { FunctionSpec } from '../functions/function-spec.ts';
import { readFilter } from '../mappings/filter.ts';
import type { StreamMappingSpec } from '../mappings/mapping-spec.ts';
import { Problem } from '../problem.ts';
import { functionOf } from './function-of.ts';
import type { MappingReader } from './mapping-reader.ts';
import { listOf, recordOf } from './template.ts';

/** CloudFormation's default for a stream.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html */
const DEFAULT_BATCH_SIZE = 100;

const KNOWN = new Set([
  'BatchSize',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'Enabled',
  'EventSourceArn',
  'FilterCriteria',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumBatchingWindowInSeconds',
  'MaximumRecordAgeInSeconds',
  'MaximumRetryAttempts',
  'ParallelizationFactor',
  'StartingPosition',
  'Tags',
]);

/** @throws Problem for what local AWS does not know of a stream's mapping. */
export function readStreamMapping(
  { logicalId, read, allowOnly }: MappingReader,
  source: Pick<StreamMappingSpec, 'streamArn' | 'tableName'>,
  functions: readonly FunctionSpec[],
): StreamMappingSpec {
  allowOnly(KNOWN);
  const startAt = read('StartingPosition');
  if (startAt !== 'TRIM_HORIZON' && startAt !== 'LATEST') {
    throw new Problem(`${logicalId} starts at ${startAt}: local AWS knows TRIM_HORIZON and LATEST`);
  }
  if (Number(read('MaximumBatchingWindowInSeconds') ?? 0) > 0 || Number(read('ParallelizationFactor') ?? 1) > 1) {
    throw new Problem(`${logicalId} has a batching window or parallel batches, which local AWS does not have`);
  }
  const { key, name, arn } = functionOf(read('FunctionName'), functions, logicalId);
  const maxAgeSeconds = limitOf(read('MaximumRecordAgeInSeconds'));
  const patterns = listOf(recordOf(read('FilterCriteria'))['Filters']).map((filter) =>
    String(recordOf(filter)['Pattern']),
  );
  // Read here as well, so that one that is unknown stops the deploy and not the poller.
  readFilter(patterns, logicalId);
  const onFailure = recordOf(recordOf(read('DestinationConfig'))['OnFailure'])['Destination'];
  return {
    from: 'stream',
    logicalId,
    ...source,
    functionKey: key,
    functionName: name,
    functionArn: arn,
    startAt,
    patterns,
    batchSize: Number(read('BatchSize') ?? DEFAULT_BATCH_SIZE),
    bisectsOnError: read('BisectBatchOnFunctionError') === true,
    reportsItemFailures: listOf(read('FunctionResponseTypes')).includes('ReportBatchItemFailures'),
    maxRetries: limitOf(read('MaximumRetryAttempts')),
    maxAgeMs: maxAgeSeconds === undefined ? undefined : maxAgeSeconds * 1000,
    onFailure: onFailure === undefined ? undefined : String(onFailure),
  };
}

/** -1, the default, is without end. */
function limitOf(value: unknown): number | undefined {
  const limit = Number(value ?? -1);
  return limit < 0 ? undefined : limit;
}
