import type { ServiceError } from '../gateway/gateway-service.ts';
import { listOf, recordOf } from '../template/template.ts';
import type { Metric } from './metric.ts';
import { type Statistic, statisticOf } from './statistic.ts';

/** One of the metrics that a request asks for. */
export interface MetricQuery {
  readonly id: string;
  readonly label: string;
  readonly metric: Metric;
  readonly periodMs: number;
  readonly statistic: Statistic;
}

/** A period is one of these, or whole minutes.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricStat.html */
const SHORT_PERIODS = [1, 5, 10, 20, 30];

/** Reads a query as the API has it; a refusal for what CloudWatch would not take, and for metric math. */
export function readMetricQuery(query: Readonly<Record<string, unknown>>): MetricQuery | ServiceError {
  const id = String(query['Id']);
  if (!/^[a-z]\w*$/.test(id)) return refusal(`the id ${id} must begin with a lower-case letter`);
  if (query['MetricStat'] === undefined) return refusal(`${id}: local AWS knows no metric math and no SEARCH`);
  const { Metric: asked, Period: period, Stat: stat, Unit: unit } = recordOf(query['MetricStat']);
  const seconds = Number(period);
  if (!SHORT_PERIODS.includes(seconds) && !(seconds > 0 && seconds % 60 === 0))
    return refusal(`${id}: a period is ${SHORT_PERIODS.join(', ')} or a multiple of 60 seconds`);
  const statistic = statisticOf(String(stat));
  if (statistic === undefined) return refusal(`${id}: local AWS does not know the statistic ${stat}`);

  const { Namespace: namespace, MetricName: name, Dimensions: dimensions } = recordOf(asked);
  const pairs = listOf(dimensions)
    .map(recordOf)
    .map((each) => [String(each['Name']), String(each['Value'])] as const);
  return {
    id,
    label: String(query['Label'] ?? name),
    metric: {
      namespace: String(namespace),
      name: String(name),
      dimensions: Object.fromEntries(pairs),
      unit: unit === undefined ? undefined : String(unit),
    },
    periodMs: seconds * 1000,
    statistic,
  };
}

const refusal = (message: string): ServiceError => ({ code: 'ValidationException', message });
