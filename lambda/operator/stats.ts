import { METRICS, type MetricName } from '../contract.ts';
import type { Clock } from '../core/ports.ts';
import { type DurationMs, days, type EpochMs, epochMs, hours, toIso } from '../core/time.ts';
import type { MetricPeriod, Metrics, MetricWish } from './deployment/metrics-port.ts';

/** One metric over the period. */
export interface Stat {
  readonly name: MetricName;
  /** Counts are summed; of what is measured now and then the highest is given, if there is one. */
  readonly kind: 'count' | 'highest';
  readonly value: number | undefined;
}

export interface Stats {
  readonly from: string;
  readonly to: string;
  /** Duplicates first. */
  readonly stats: readonly Stat[];
  /** Duplicates in percent of what was received; absent when nothing was. */
  readonly duplicateRate: number | undefined;
}

/**
 * What one source or all of them had in a period.
 *
 * @param source Absent for the total.
 * @throws Refusal when CloudWatch cannot be asked.
 */
export async function readStats(
  metrics: Metrics,
  clock: Pick<Clock, 'now'>,
  source: string | undefined,
  last: DurationMs,
): Promise<Stats> {
  const period = periodOf(clock.now(), last);
  const wishes = NAMES.map((name): MetricWish => ({ name, statistic: isGauge(name) ? 'Maximum' : 'Sum' }));
  const points = await metrics.read(wishes, source, period);
  const stats = wishes.map(({ name, statistic }, n): Stat => {
    const values = points[n] ?? [];
    return statistic === 'Sum'
      ? { name, kind: 'count', value: values.reduce((sum, value) => sum + value, 0) }
      : { name, kind: 'highest', value: values.length === 0 ? undefined : values.reduce((a, b) => Math.max(a, b)) };
  });
  const sumOf = (name: MetricName): number => stats.find((stat) => stat.name === name)?.value ?? 0;
  const received = sumOf(METRICS.received);
  return {
    from: toIso(period.from),
    to: toIso(period.to),
    stats,
    duplicateRate: received === 0 ? undefined : (100 * sumOf(METRICS.duplicates)) / received,
  };
}

const NAMES: readonly MetricName[] = [
  METRICS.duplicates,
  ...Object.values(METRICS).filter((name) => name !== METRICS.duplicates),
];

/** What is measured now and then: a sum of it means nothing. */
const isGauge = (name: MetricName): boolean => name.endsWith('Ms') || name === METRICS.outboxStuck;

/**
 * How long CloudWatch keeps data points of five minutes; older ones are of an hour.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
const KEPT_BY_FIVE_MINUTES = days(63);

/** Up to here data points of a minute are few. */
const SHORT = hours(3);

/** Begins with a whole data point, so that none is cut. */
function periodOf(now: EpochMs, last: DurationMs): MetricPeriod {
  const stepSeconds = last <= SHORT ? 60 : last < KEPT_BY_FIVE_MINUTES ? 300 : 3600;
  const step = stepSeconds * 1000;
  return { from: epochMs(Math.floor((now - last) / step) * step), to: now, stepSeconds };
}
