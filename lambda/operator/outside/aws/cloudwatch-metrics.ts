import {
  type CloudWatchClient,
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
} from '@aws-sdk/client-cloudwatch';
import { METRIC_NAMESPACE, SOURCE_DIMENSION } from '../../../contract.ts';
import type { MetricPeriod, Metrics, MetricWish } from '../../deployment/metrics-port.ts';
import { explaining } from './explain-error.ts';

/** The metrics in CloudWatch. */
export const createCloudWatchMetrics = (client: Pick<CloudWatchClient, 'send'>, isLocal: boolean): Metrics => ({
  read: (wishes, source, period) =>
    explaining(
      { service: 'cloudwatch', action: 'GetMetricData', resource: `the metrics of ${METRIC_NAMESPACE}`, isLocal },
      async () => {
        const points: number[][] = wishes.map(() => []);
        let next: string | undefined;
        do {
          const answer = await client.send(
            new GetMetricDataCommand({
              ...buildQuery(wishes, source, period),
              ...(next === undefined ? {} : { NextToken: next }),
            }),
          );
          for (const { Id: id = '', Values: values = [] } of answer.MetricDataResults ?? []) {
            points[Number(id.slice(1))]?.push(...values);
          }
          next = answer.NextToken;
        } while (next !== undefined);
        return points;
      },
    ),
});

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html */
const buildQuery = (
  wishes: readonly MetricWish[],
  source: string | undefined,
  { from, to, stepSeconds }: MetricPeriod,
): GetMetricDataCommandInput => ({
  StartTime: new Date(from),
  EndTime: new Date(to),
  MetricDataQueries: wishes.map(({ name, statistic }, n) => ({
    // Ids begin with a lower-case letter.
    Id: `m${n}`,
    MetricStat: {
      Metric: {
        Namespace: METRIC_NAMESPACE,
        MetricName: name,
        Dimensions: source === undefined ? [] : [{ Name: SOURCE_DIMENSION, Value: source }],
      },
      Period: stepSeconds,
      Stat: statistic,
    },
  })),
});
