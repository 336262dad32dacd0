import { Logger } from '@aws-lambda-powertools/logger';
import { METRICS } from '../../contract.ts';
import type { OutboxTelemetry } from '../../core/outbox-ports.ts';
import { sourceOfMessage } from '../../core/owed-message.ts';
import { SERVICE, writeMetrics } from './metric-line.ts';

/** Logs and metrics of dispatch and sweep: ids, topics and durations, never a payload. */
export function createOutboxTelemetry(): OutboxTelemetry & { readonly setRequestId: (requestId: string) => void } {
  const logger = new Logger({ serviceName: SERVICE });
  return {
    messageSent(message, lag) {
      writeMetrics(sourceOfMessage(message.id), [
        { name: METRICS.outboxDispatched, unit: 'Count', value: 1 },
        { name: METRICS.outboxLagMs, unit: 'Milliseconds', value: lag },
      ]);
    },
    messageNotSent(message, reason, isStuck) {
      const fields = { messageId: message.id, topic: message.topic, attempt: message.attempts + 1, reason };
      if (isStuck) logger.error('an outbox message is stuck', fields);
      else logger.warn('an outbox message could not be sent', fields);
    },
    swept(oldest, stuck) {
      writeMetrics(undefined, [
        { name: METRICS.outboxOldestMs, unit: 'Milliseconds', value: oldest },
        { name: METRICS.outboxStuck, unit: 'Count', value: stuck },
      ]);
    },
    warn: (message, fields) => logger.warn(message, { ...fields }),
    setRequestId: (requestId) => logger.appendKeys({ requestId }),
  };
}
