/**
 * Logs and metrics of the functions: one JSON line an outcome, and CloudWatch's embedded metric
 * format beside it. What reaches this file is names, counts and durations; bodies, headers and
 * secrets are not in any of its parameters.
 */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  LOG_FIELDS,
  METRIC_NAMESPACE,
  METRICS,
  type MetricName,
  OUTCOME_MESSAGE,
  SOURCE_DIMENSION,
} from '../../contract.ts';
import type { EventOutcome } from '../../core/outcome.ts';
import type { Telemetry } from '../../core/ports.ts';

const SERVICE = 'oncehook';

export interface FunctionTelemetry extends Telemetry {
  /** Something nobody foresaw; name and message only. */
  unexpected(name: string, message: string): void;
  /** Adds the request id to every line until the next call. */
  setRequestId(requestId: string): void;
}

export function createTelemetry(): FunctionTelemetry {
  const logger = new Logger({ serviceName: SERVICE });
  return {
    eventEnded(event, outcome, duration) {
      countBySource(event.source, metricsOf(outcome));
      const line = {
        [LOG_FIELDS.outcome]: outcome.kind,
        [LOG_FIELDS.source]: event.source,
        [LOG_FIELDS.eventId]: event.eventId,
        [LOG_FIELDS.eventType]: event.types[0].slice(0, 100),
        [LOG_FIELDS.durationMs]: duration,
        ...('attempt' in outcome ? { [LOG_FIELDS.attempt]: outcome.attempt } : {}),
        ...('reason' in outcome ? { [LOG_FIELDS.reason]: outcome.reason } : {}),
        ...('error' in outcome ? { errorName: outcome.error.name, errorMessage: outcome.error.message } : {}),
      };
      if (isFailure(outcome)) logger.error(OUTCOME_MESSAGE, line);
      else logger.info(OUTCOME_MESSAGE, line);
    },
    deliveryRejected(request, rejection, isSource) {
      // A name that no source has is a stranger's text: it never becomes a dimension or a log field.
      countBySource(isSource ? request.source : undefined, [METRICS.rejected]);
      logger.warn('delivery rejected', {
        [LOG_FIELDS.outcome]: rejection.kind,
        ...(isSource ? { [LOG_FIELDS.source]: request.source } : {}),
        ...('reason' in rejection ? { [LOG_FIELDS.reason]: rejection.reason } : {}),
      });
    },
    warn: (message, fields) => logger.warn(message, { ...fields }),
    unexpected: (name, message) =>
      logger.error('unexpected error', { errorName: name, errorMessage: message.slice(0, 300) }),
    setRequestId: (requestId) => logger.appendKeys({ requestId }),
  };
}

const isFailure = (outcome: EventOutcome): boolean => metricsOf(outcome).includes(METRICS.failed);

/** What one event's outcome counts as. `Received` is every event that was verified. */
function metricsOf(outcome: EventOutcome): readonly MetricName[] {
  switch (outcome.kind) {
    case 'processed':
      return [METRICS.received, METRICS.processed];
    case 'duplicate':
      return [METRICS.received, METRICS.duplicates];
    case 'failed':
    case 'permanent':
    case 'expired':
    case 'store-down':
      return [METRICS.received, METRICS.failed];
    default:
      return [METRICS.received];
  }
}

/**
 * One line with every metric twice: by source, and as the total without a dimension. Alarms look at
 * the total, and no id ever becomes a dimension.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function countBySource(source: string | undefined, names: readonly MetricName[]): void {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: SERVICE });
  metrics.clearDefaultDimensions();
  if (source !== undefined) metrics.addDimension(SOURCE_DIMENSION, source);
  metrics.addDimensions({});
  for (const name of names) metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
