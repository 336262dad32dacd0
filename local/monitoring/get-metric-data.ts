import type { ServiceError } from '../gateway/gateway-service.ts';
import { listOf, recordOf } from '../template/template.ts';
import type { Metric, MetricValue } from './metric.ts';
import { type MetricQuery, readMetricQuery } from './metric-query.ts';

const MINUTE_MS = 60_000;

/** Most queries of one request.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html */
const MAX_QUERIES = 500;

/** Some time, from its start and until before its end, in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Answers one request, all of it on one page. */
export async function getMetricData(
  input: Readonly<Record<string, unknown>>,
  valuesOf: (metric: Metric) => Promise<readonly MetricValue[]>,
): Promise<Readonly<Record<string, unknown>> | ServiceError> {
  const [from, to] = [Number(input['StartTime']) * 1000, Number(input['EndTime']) * 1000];
  if (!(from < to)) return { code: 'ValidationException', message: 'StartTime must be before EndTime' };
  const asked = listOf(input['MetricDataQueries']).map(recordOf);
  if (asked.length < 1 || asked.length > MAX_QUERIES)
    return { code: 'ValidationException', message: `MetricDataQueries must have from 1 to ${MAX_QUERIES} entries` };
  const queries: MetricQuery[] = [];
  for (const each of asked) {
    const query = readMetricQuery(each);
    if ('code' in query) return query;
    queries.push(query);
  }

  const isAscending = input['ScanBy'] === 'TimestampAscending';
  const shown = queries.filter((_, n) => asked[n]?.['ReturnData'] !== false);
  const results = shown.map(async (query) => {
    const points = pointsOf(query, await valuesOf(query.metric), { from, to });
    const ordered = isAscending ? points : points.toReversed();
    return {
      Id: query.id,
      Label: query.label,
      Timestamps: ordered.map(({ atMs }) => atMs / 1000),
      Values: ordered.map(({ value }) => value),
      StatusCode: 'Complete',
    };
  });
  return { MetricDataResults: await Promise.all(results), Messages: [] };
}

/** One point for each period that has values, oldest first; periods are counted from the start, to the minute. */
function pointsOf(
  { periodMs, statistic }: MetricQuery,
  values: readonly MetricValue[],
  { from, to }: Span,
): readonly MetricValue[] {
  const step = Math.min(periodMs, MINUTE_MS);
  const start = Math.floor(from / step) * step;
  const periods = new Map<number, number[]>();
  for (const { atMs, value } of values) {
    if (atMs < start || atMs >= to) continue;
    const n = Math.floor((atMs - start) / periodMs);
    const before = periods.get(n);
    if (before === undefined) periods.set(n, [value]);
    else before.push(value);
  }
  return [...periods]
    .sort(([one], [other]) => one - other)
    .map(([n, those]) => ({ atMs: start + n * periodMs, value: statistic(those) }));
}
