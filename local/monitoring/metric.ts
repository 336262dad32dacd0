/** One metric, as those who send and those who ask name it. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  /** Any when `undefined`. */
  readonly unit: string | undefined;
}

export interface MetricValue {
  readonly atMs: number;
  readonly value: number;
}
