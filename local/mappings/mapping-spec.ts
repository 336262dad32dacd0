/** An event source mapping to a function. */
export type MappingSpec = StreamMappingSpec | QueueMappingSpec;

/** From a table's stream. */
export interface StreamMappingSpec {
  readonly from: 'stream';
  readonly logicalId: string;
  readonly tableName: string;
  /** As the template knows it: what roles allow and records say. */
  readonly streamArn: string;
  readonly functionKey: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly startAt: 'TRIM_HORIZON' | 'LATEST';
  /** Filter patterns, as JSON; a record passes that fits one. Every record without any. */
  readonly patterns: readonly string[];
  readonly batchSize: number;
  readonly bisectsOnError: boolean;
  readonly reportsItemFailures: boolean;
  /** Without end when `undefined`. */
  readonly maxRetries: number | undefined;
  readonly maxAgeMs: number | undefined;
  /** ARN of a queue. */
  readonly onFailure: string | undefined;
}

/** From a queue. */
export interface QueueMappingSpec {
  readonly from: 'queue';
  readonly logicalId: string;
  readonly queueName: string;
  readonly queueArn: string;
  readonly functionKey: string;
  readonly functionName: string;
  readonly batchSize: number;
  /** How long a batch that is not full waits for more; 0 for not at all. */
  readonly windowMs: number;
  /** Most batches that the function has in hand at a time. */
  readonly maxConcurrency: number;
  readonly reportsItemFailures: boolean;
}
