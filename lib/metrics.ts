import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { METRIC_NAMESPACE, METRICS, type MetricName, SOURCE_DIMENSION } from '../lambda/contract.ts';

const PERIOD = Duration.minutes(5);

/** A count over all sources: the metric as it is emitted without a dimension. */
export const total = (metricName: MetricName): Metric => count(metricName, {});

/** A count of one source. */
export const ofSource = (metricName: MetricName, source: string): Metric =>
  count(metricName, { [SOURCE_DIMENSION]: source }, source);

/** The highest value over all sources in a period. */
export const highest = (metricName: MetricName): Metric => total(metricName).with({ statistic: Stats.MAXIMUM });

/** The value that 99 % of the measurements over all sources do not exceed. */
export const p99 = (metricName: MetricName): Metric => total(metricName).with({ statistic: Stats.percentile(99) });

/** The most messages that waited in a queue at once. */
export const depthOf = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD });

/** How old the record was that a function last read from its stream: ms, the oldest of a period. */
export const iteratorAgeOf = (lambda: IFunction): Metric =>
  lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: PERIOD });

/** The same under another name in a widget's legend. An alarm's metric has none: a label makes it an expression. */
export const named = (metric: Metric, label: string): Metric => metric.with({ label });

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
