import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { METRIC_NAMESPACE, type MetricName, SOURCE_DIMENSION } from '../../contract.ts';

/** The service name of our log lines. */
export const SERVICE = 'oncehook';

/** One value of one metric. */
export interface MetricValue {
  readonly name: MetricName;
  readonly unit: 'Count' | 'Milliseconds';
  readonly value: number;
}

/**
 * One line with every metric twice: by source, and as the total without a dimension. Alarms look at
 * the total, and no id ever becomes a dimension.
 *
 * @param source `undefined` for what belongs to no source: then there is the total alone.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function writeMetrics(source: string | undefined, values: readonly MetricValue[]): void {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: SERVICE });
  metrics.clearDefaultDimensions();
  if (source !== undefined) metrics.addDimension(SOURCE_DIMENSION, source);
  metrics.addDimensions({});
  for (const { name, unit, value } of values) metrics.addMetric(name, MetricUnit[unit], value);
  metrics.publishStoredMetrics();
}
