/** An event source mapping from a table's stream to a function. */
export interface StreamMappingSpec {
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
