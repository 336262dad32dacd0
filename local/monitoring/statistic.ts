/** Makes one figure of the values of a period, of which there is at least one. */
export type Statistic = (values: readonly number[]) => number;

const sum: Statistic = (values) => values.reduce((total, value) => total + value, 0);

const BY_NAME: Readonly<Record<string, Statistic | undefined>> = {
  Average: (values) => sum(values) / values.length,
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
  SampleCount: (values) => values.length,
  Sum: sum,
};

/**
 * A statistic by CloudWatch's name for it; `undefined` for those that local AWS does not know. A percentile is the
 * value at that rank.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html
 */
export function statisticOf(name: string): Statistic | undefined {
  const percent = /^p(\d{1,2}(?:\.\d+)?|100)$/.exec(name)?.[1];
  if (percent === undefined) return BY_NAME[name];
  return (values) => {
    const sorted = values.toSorted((one, other) => one - other);
    return sorted[Math.max(0, Math.ceil((Number(percent) / 100) * sorted.length) - 1)] ?? Number.NaN;
  };
}
