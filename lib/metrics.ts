import { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
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

/** The value that so many percent of the measurements over all sources do not exceed. */
export const percentile = (metricName: MetricName, percent: number): Metric =>
  total(metricName).with({ statistic: Stats.percentile(percent) });

/** The most messages that waited in a queue at once. */
export const depthOf = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD });

/** How long the oldest message of a queue has been in it: seconds, the most of a period. */
export const oldestOf = (queue: IQueue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD });

/** Answers of 500 and above: those of the function, and those of API Gateway where there was none of the function. */
export const serverErrorsOf = (api: IHttpApi): Metric =>
  api.metricServerError({ statistic: Stats.SUM, period: PERIOD });

/** Answers of 400 to 499: those of the function, and API Gateway's own, such as 429. */
export const clientErrorsOf = (api: IHttpApi): Metric =>
  api.metricClientError({ statistic: Stats.SUM, period: PERIOD });

/** Invocations that ended without an answer: an error, the timeout, the end of the process. */
export const errorsOf = (lambda: IFunction): Metric => lambda.metricErrors({ statistic: Stats.SUM, period: PERIOD });

/** Invocations that found no concurrency left. */
export const throttlesOf = (lambda: IFunction): Metric =>
  lambda.metricThrottles({ statistic: Stats.SUM, period: PERIOD });

/** How long an invocation runs: ms, what 99 % of them do not exceed. */
export const durationOf = (lambda: IFunction): Metric =>
  lambda.metricDuration({ statistic: Stats.percentile(99), period: PERIOD });

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
