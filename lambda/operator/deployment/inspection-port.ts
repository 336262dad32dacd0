/** The tables of Oncehook's own. */
export type OwnTable = 'inbox' | 'outbox' | 'sequences';

export interface TableFacts {
  /** Regions of replicas, the table's own left out. */
  readonly replicaRegions: readonly string[];
}

/** An event source mapping. */
export interface MappingFacts {
  /** As Lambda says it: `Enabled`, `Disabled`, … */
  readonly state: string;
  readonly lastResult: string | undefined;
  readonly functionArn: string;
}

/** What a mapping reads. */
export type MappingOrigin = 'events queue' | 'outbox stream' | 'outbox queue' | 'deliveries queue';

/** What AWS says of the deployed parts. Every method throws a Refusal when it cannot be asked. */
export interface Inspection {
  table(table: OwnTable): Promise<TableFacts>;
  /** Of the inbox. `attribute` is absent while it is off. */
  timeToLive(): Promise<{ readonly status: string; readonly attribute: string | undefined }>;
  hasPointInTimeRecovery(table: OwnTable): Promise<boolean>;
  /** By what there is to read: not every deployment has a deliveries queue. */
  mappings(): Promise<Readonly<Partial<Record<MappingOrigin, readonly MappingFacts[]>>>>;
  /** The environment of the function that works on queued events; `undefined` when no function does. */
  workEnvironment(): Promise<Readonly<Record<string, string>> | undefined>;
}
