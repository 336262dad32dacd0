import type { MetricName } from '../../contract.ts';
import type { EpochMs } from '../../core/time.ts';

export interface MetricWish {
  readonly name: MetricName;
  readonly statistic: 'Sum' | 'Maximum';
}

export interface MetricPeriod {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Whole seconds of one data point. */
  readonly stepSeconds: number;
}

/** The metrics that CloudWatch has. */
export interface Metrics {
  /**
   * Data points in no order, in the order of the wishes; none where nothing was measured.
   *
   * @param source Absent for the total over all sources.
   * @throws Refusal when CloudWatch cannot be asked.
   */
  read(
    wishes: readonly MetricWish[],
    source: string | undefined,
    period: MetricPeriod,
  ): Promise<readonly (readonly number[])[]>;
}
