import { embeddedValues } from '../../local/monitoring/embedded-metrics.ts';
import type { Metric, MetricValue } from '../../local/monitoring/metric.ts';
import { statisticOf } from '../../local/monitoring/statistic.ts';
import { createResolver } from '../../local/template/resolver.ts';
import { resourcesOf } from '../../local/template/resource-types.ts';
import { listOf, recordOf, type Template } from '../../local/template/template.ts';

/** An alarm of a template, as CloudWatch evaluates it: on one period at a time. */
export interface TemplateAlarm {
  /** As in `docs/runbook.md`: without the stack's name. */
  readonly name: string;
  readonly metric: Metric;
  readonly statistic: string;
  readonly periodSeconds: number;
  readonly threshold: number;
  readonly ringsWhenSilent: boolean;
}

export interface Shown {
  readonly alarms: readonly TemplateAlarm[];
  /** What the widgets of the dashboard show, with what their expressions are made of. */
  readonly onDashboard: readonly Metric[];
}

/** What the dashboard and the alarms of a stack look at, every reference resolved. */
export function readShown(template: Template, place: { readonly region: string; readonly accountId: string }): Shown {
  const resolver = createResolver(template, place);
  const [dashboard] = resourcesOf(template, 'AWS::CloudWatch::Dashboard');
  const body = JSON.parse(resolver.text(dashboard?.properties['DashboardBody'], 'DashboardBody'));
  return {
    alarms: resourcesOf(template, 'AWS::CloudWatch::Alarm').map(({ logicalId, properties }) =>
      readAlarm(recordOf(resolver.resolve(properties, logicalId)), template.stackName),
    ),
    onDashboard: listOf(body.widgets)
      .flatMap((widget) => listOf(recordOf(recordOf(widget)['properties'])['metrics']))
      .flatMap((entry) => readEntry(listOf(entry))),
  };
}

function readAlarm(properties: Readonly<Record<string, unknown>>, stackName: string): TemplateAlarm {
  const [operator, periods, points] = ['ComparisonOperator', 'EvaluationPeriods', 'DatapointsToAlarm'].map(
    (name) => properties[name],
  );
  if (operator !== 'GreaterThanOrEqualToThreshold' || periods !== 1 || points !== undefined) {
    throw new Error(`an alarm of a kind that is not evaluated here: ${JSON.stringify(properties)}`);
  }
  return {
    name: String(properties['AlarmName']).replace(`${stackName}-`, ''),
    metric: {
      namespace: String(properties['Namespace']),
      name: String(properties['MetricName']),
      dimensions: Object.fromEntries(
        listOf(properties['Dimensions'])
          .map(recordOf)
          .map((each) => [String(each['Name']), String(each['Value'])]),
      ),
      unit: undefined,
    },
    statistic: String(properties['Statistic']),
    periodSeconds: Number(properties['Period']),
    threshold: Number(properties['Threshold']),
    ringsWhenSilent: properties['TreatMissingData'] === 'breaching',
  };
}

/** Namespace, name, and names and values of dimensions in turn; an expression has none of these. */
function readEntry(entry: readonly unknown[]): readonly Metric[] {
  const [namespace, name, ...pairs] = entry.filter((part) => typeof part === 'string');
  if (namespace === undefined || name === undefined) return [];
  const dimensions: Record<string, string> = {};
  for (let n = 0; n < pairs.length; n += 2) dimensions[pairs[n] ?? ''] = pairs[n + 1] ?? '';
  return [{ namespace, name, dimensions, unit: undefined }];
}

/** Whether an alarm rings when these are all the values of a period. */
export function isRinging(
  { statistic, threshold, ringsWhenSilent }: TemplateAlarm,
  values: readonly number[],
): boolean {
  if (values.length === 0) return ringsWhenSilent;
  const evaluate = statisticOf(statistic);
  if (evaluate === undefined) throw new Error(`a statistic that is not evaluated here: ${statistic}`);
  return evaluate(values) >= threshold;
}

/** The values of a metric in log lines, by their own time. */
export const valuesIn = (
  lines: readonly (Readonly<Record<string, unknown>> | undefined)[],
  metric: Metric,
): readonly MetricValue[] => lines.flatMap((fields) => embeddedValues(fields, metric));

/** One metric of a log line in embedded metric format, with the dimension sets that the line gives it. */
export interface EmittedMetric {
  readonly namespace: string;
  readonly name: string;
  /** Of each set the names and values. */
  readonly sets: readonly Readonly<Record<string, string>>[];
}

/** Every metric of a log line, as it names them; none for another line. */
export const emittedIn = (fields: Readonly<Record<string, unknown>> | undefined): readonly EmittedMetric[] =>
  listOf(recordOf(fields?.['_aws'])['CloudWatchMetrics'])
    .map(recordOf)
    .flatMap((directive) =>
      listOf(directive['Metrics'])
        .map(recordOf)
        .map((metric) => ({
          namespace: String(directive['Namespace']),
          name: String(metric['Name']),
          sets: listOf(directive['Dimensions']).map((names) =>
            Object.fromEntries(listOf(names).map((name) => [String(name), String(fields?.[String(name)])])),
          ),
        })),
    );
