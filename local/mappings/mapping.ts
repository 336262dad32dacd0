/** An event source mapping that runs. */
export interface Mapping {
  /** No batch is begun any more; resolves when those that run have been answered. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends it without waiting for the batches that run. */
  stop(): void;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;
}
