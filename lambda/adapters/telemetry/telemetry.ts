/**
 * Logs and metrics of the functions: one JSON line an outcome, and CloudWatch's embedded metric
 * format beside it. What reaches this file is names, counts and durations; bodies, headers and
 * secrets are not in any of its parameters.
 */
import { Logger } from '@aws-lambda-powertools/logger';
import { LOG_FIELDS, METRICS, type MetricName, OUTCOME_MESSAGE } from '../../contract.ts';
import { assertNever } from '../../core/assert-never.ts';
import { cutText } from '../../core/cut-text.ts';
import { type EventOutcome, MAX_ERROR_CHARACTERS, type QueuedBecause } from '../../core/outcome.ts';
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

/** @param origin Events from the events queue were counted as received when they came from the provider. */
export function createTelemetry(origin: 'provider' | 'events-queue' = 'provider'): FunctionTelemetry {
  const logger = new Logger({ serviceName: SERVICE });
  return {
    eventEnded(event, outcome, duration) {
      const counted = metricsOf(outcome);
      const received = origin === 'provider' && !counted.includes(METRICS.rejected) ? [METRICS.received] : [];
      countBySource(event.source, [...received, ...counted]);
      const line = {
        [LOG_FIELDS.outcome]: outcome.kind,
        [LOG_FIELDS.source]: event.source,
        [LOG_FIELDS.eventId]: event.eventId,
        ...(event.type === undefined ? {} : { [LOG_FIELDS.eventType]: cutText(event.type, MAX_TYPE_CHARACTERS) }),
        ...(event.secretIndex === undefined ? {} : { [LOG_FIELDS.secretIndex]: event.secretIndex }),
        [LOG_FIELDS.durationMs]: duration,
        ...('attempt' in outcome ? { [LOG_FIELDS.attempt]: outcome.attempt } : {}),
        ...('reason' in outcome ? { [LOG_FIELDS.reason]: outcome.reason } : {}),
        ...('because' in outcome ? { [LOG_FIELDS.reason]: outcome.because } : {}),
        ...('error' in outcome && outcome.error !== undefined
          ? { errorName: outcome.error.name, errorMessage: outcome.error.message }
          : {}),
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
    attemptMeasured(source, { fromLapsed, handler, commit, conflicts }) {
      writeMetrics(source, [
        { name: METRICS.handlerMs, unit: 'Milliseconds', value: handler },
        ...(commit === undefined ? [] : [{ name: METRICS.commitMs, unit: 'Milliseconds', value: commit } as const]),
        ...(fromLapsed ? [{ name: METRICS.takeovers, unit: 'Count', value: 1 } as const] : []),
        ...(conflicts > 0 ? [{ name: METRICS.commitConflicts, unit: 'Count', value: conflicts } as const] : []),
      ]);
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

/** What one event's outcome counts as, beside being received. */
function metricsOf(outcome: EventOutcome): readonly MetricName[] {
  switch (outcome.kind) {
    case 'processed':
      return [METRICS.processed];
    case 'duplicate':
      return outcome.bodyMismatch ? [METRICS.duplicates, METRICS.bodyMismatch] : [METRICS.duplicates];
    case 'superseded':
      return [METRICS.superseded];
    case 'in-progress':
      return [METRICS.inProgress];
    case 'queued':
      return [METRICS.queued, ...queuedAfter(outcome.because)];
    case 'parked':
      return outcome.attempt > 0 ? [METRICS.parked, METRICS.failed] : [METRICS.parked];
    case 'expired':
      return [METRICS.expired];
    case 'failed':
    case 'store-down':
      return [METRICS.failed];
    case 'malformed':
      return [METRICS.rejected];
    case 'ignored':
    case 'already-parked':
    case 'claim-lost':
    case 'retry-later':
    case 'too-little-time':
      return [];
    default:
      return assertNever(outcome);
  }
}

const queuedAfter = (because: QueuedBecause): readonly MetricName[] => {
  if (because === 'failed') return [METRICS.failed];
  return because === 'in-progress' ? [METRICS.inProgress] : [];
};

function countBySource(source: string | undefined, names: readonly MetricName[]): void {
  if (names.length === 0) return;
  writeMetrics(
    source,
    names.map((name) => ({ name, unit: 'Count', value: 1 })),
  );
}
