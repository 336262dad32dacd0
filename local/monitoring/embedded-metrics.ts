import { listOf, recordOf } from '../template/template.ts';
import type { Metric, MetricValue } from './metric.ts';

/**
 * The values of a metric in one log line in embedded metric format.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function embeddedValues(
  fields: Readonly<Record<string, unknown>> | undefined,
  metric: Metric,
): readonly MetricValue[] {
  const { Timestamp: timestamp, CloudWatchMetrics: directives } = recordOf(fields?.['_aws']);
  if (fields === undefined || typeof timestamp !== 'number') return [];
  return listOf(directives)
    .map(recordOf)
    .filter((directive) => carries(directive, fields, metric))
    .flatMap(() => [fields[metric.name]].flat())
    .flatMap((value) => (typeof value === 'number' ? [{ atMs: timestamp, value }] : []));
}

function carries(
  directive: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
  { namespace, name, dimensions, unit }: Metric,
): boolean {
  const isListed = listOf(directive['Metrics'])
    .map(recordOf)
    .some((listed) => listed['Name'] === name && (unit === undefined || unit === (listed['Unit'] ?? 'None')));
  const isAsked = listOf(directive['Dimensions']).some((names) => {
    const set = listOf(names).map(String);
    return (
      set.length === Object.keys(dimensions).length && set.every((each) => dimensions[each] === String(fields[each]))
    );
  });
  return directive['Namespace'] === namespace && isListed && isAsked;
}
