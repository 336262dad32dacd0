import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_NAMESPACE, METRICS, type MetricName, SOURCE_DIMENSION } from '../lambda/contract.ts';

const PERIOD = Duration.minutes(5);

/** A count over all sources: the metric as it is emitted without a dimension. */
export const total = (metricName: MetricName): Metric => count(metricName, {});

/** A count of one source. */
export const ofSource = (metricName: MetricName, source: string): Metric =>
  count(metricName, { [SOURCE_DIMENSION]: source }, source);

/** Copies in percent of the received events: over all sources, or of one. 0 where nothing was received. */
export function duplicateRate(source?: string): IMetric {
  const of = (metricName: MetricName) => (source === undefined ? total(metricName) : ofSource(metricName, source));
  // Ids are unique within a widget, of a-z, 0-9 and _; a source's name has no _.
  const suffix = source === undefined ? '' : `_${source.replaceAll('-', '_')}`;
  const [duplicates, received] = [`duplicates${suffix}`, `received${suffix}`];

  return new MathExpression({
    label: source ?? 'Duplicates, % of received',
    expression: `IF(${received} > 0, 100 * ${duplicates} / ${received}, 0)`,
    usingMetrics: { [duplicates]: of(METRICS.duplicates), [received]: of(METRICS.received) },
    period: PERIOD,
  });
}

const count = (metricName: MetricName, dimensionsMap: Record<string, string>, label?: string): Metric =>
  new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap,
    ...(label === undefined ? {} : { label }),
    statistic: Stats.SUM,
    period: PERIOD,
  });
