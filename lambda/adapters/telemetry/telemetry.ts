/**
 * Logs and metrics of the functions: one JSON line an outcome, and CloudWatch's embedded metric
 * format beside it. What reaches this file is names, counts and durations; bodies, headers and
 * secrets are not in any of its parameters.
 */
import { Logger } from '@aws-lambda-powertools/logger';
import { LOG_FIELDS, METRICS, type MetricName, OUTCOME_MESSAGE } from '../../contract.ts';
import { cutText } from '../../core/cut-text.ts';
import { type EventOutcome, MAX_ERROR_CHARACTERS } from '../../core/outcome.ts';
import type { Telemetry } from '../../core/ports.ts';
import { SERVICE, writeMetrics } from './metric-line.ts';

/** Most of a type that a line shows; a type is the sender's text, and a name needs no more. */
const MAX_TYPE_CHARACTERS = 100;

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
        ...(event.type === undefined ? {} : { [LOG_FIELDS.eventType]: cutText(event.type, MAX_TYPE_CHARACTERS) }),
        [LOG_FIELDS.secretIndex]: event.secretIndex,
        [LOG_FIELDS.durationMs]: duration,
        ...('attempt' in outcome ? { [LOG_FIELDS.attempt]: outcome.attempt } : {}),
        ...('reason' in outcome ? { [LOG_FIELDS.reason]: outcome.reason } : {}),
        ...('error' in outcome ? { errorName: outcome.error.name, errorMessage: outcome.error.message } : {}),
      };
      logger[levelOf(outcome)](OUTCOME_MESSAGE, line);
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
      logger.error('unexpected error', { errorName: name, errorMessage: cutText(message, MAX_ERROR_CHARACTERS) }),
    setRequestId: (requestId) => logger.appendKeys({ requestId }),
  };
}

function levelOf(outcome: EventOutcome): 'error' | 'warn' | 'info' {
  const counted = metricsOf(outcome);
  if (counted.includes(METRICS.failed)) return 'error';
  return counted.includes(METRICS.rejected) ? 'warn' : 'info';
}

/** What one event's outcome counts as. `Received` is every event that was verified and has a name. */
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
    case 'malformed':
      return [METRICS.rejected];
    default:
      return [METRICS.received];
  }
}

const countBySource = (source: string | undefined, names: readonly MetricName[]): void =>
  writeMetrics(
    source,
    names.map((name) => ({ name, unit: 'Count', value: 1 })),
  );
