import type { LogFeed } from '../functions/log-feed.ts';
import { type ServiceServer, startServiceServer } from '../gateway/service-server.ts';
import { targetActionOf } from '../gateway/services/json-service.ts';
import { describeMonitoringError, monitoringAnswer } from '../gateway/services/monitoring.ts';
import { recordOf } from '../template/template.ts';
import { embeddedValues } from './embedded-metrics.ts';
import { getMetricData } from './get-metric-data.ts';
import type { Metric, MetricValue } from './metric.ts';

export interface MetricsServerDeps {
  readonly accessKeyId: string;
  readonly logs: Pick<LogFeed, 'entries'>;
  /** How many messages can be received from a queue now; `undefined` when there is no such queue. */
  readonly countVisible: (queueName: string) => Promise<number | undefined>;
}

/**
 * Answers CloudWatch's `GetMetricData`: a function's own metrics from the embedded metric format in its log, and of
 * queues what they hold now. Of anything else there are no data, as of a metric that nobody has sent.
 */
export function startMetricsServer({ accessKeyId, logs, countVisible }: MetricsServerDeps): Promise<ServiceServer> {
  async function valuesOf(metric: Metric): Promise<readonly MetricValue[]> {
    if (metric.namespace === 'AWS/SQS') return depthOf(metric);
    return logs.entries.flatMap(({ from, fields }) => (from === 'function' ? embeddedValues(fields, metric) : []));
  }

  async function depthOf({ name, dimensions }: Metric): Promise<readonly MetricValue[]> {
    const { QueueName: queueName, ...others } = dimensions;
    if (name !== 'ApproximateNumberOfMessagesVisible' || queueName === undefined || Object.keys(others).length > 0)
      return [];
    const value = await countVisible(queueName);
    return value === undefined ? [] : [{ atMs: Date.now(), value }];
  }

  return startServiceServer({
    accessKeyId,
    describeError: describeMonitoringError,
    async answer(request) {
      const action = targetActionOf(request);
      if (action !== 'GetMetricData')
        return { code: 'UnknownOperationException', message: `local AWS has no ${action} of CloudWatch` };
      const found = await getMetricData(recordOf(JSON.parse(request.body.toString('utf8'))), valuesOf);
      return isError(found) ? found : monitoringAnswer(found);
    },
  });
}

const isError = (found: object): found is { readonly code: string; readonly message: string } => 'code' in found;
