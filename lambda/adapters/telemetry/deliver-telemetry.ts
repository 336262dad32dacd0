import { Logger } from '@aws-lambda-powertools/logger';
import { LOG_FIELDS, METRICS } from '../../contract.ts';
import { type DeliverTelemetry, isDelivered } from '../../core/deliver-ports.ts';
import { sourceOfMessage } from '../../core/owed-message.ts';
import { SERVICE, writeMetrics } from './metric-line.ts';

/** Logs and metrics of the deliverer: ids, topics, names of targets and statuses; no payload, URL or header. */
export function createDeliverTelemetry(): DeliverTelemetry & { readonly setRequestId: (requestId: string) => void } {
  const logger = new Logger({ serviceName: SERVICE });
  return {
    attempted({ messageId, topic, target, attempt, answer, duration }) {
      const delivered = isDelivered(answer);
      const source = sourceOfMessage(messageId);
      writeMetrics(source === '' ? undefined : source, [
        { name: delivered ? METRICS.delivered : METRICS.deliveryFailed, unit: 'Count', value: 1 },
      ]);
      logger[delivered ? 'info' : 'warn'](delivered ? 'message delivered' : 'delivery attempt failed', {
        messageId,
        topic,
        target,
        ...(answer.kind === 'answered' ? { status: answer.status } : { [LOG_FIELDS.reason]: answer.reason }),
        [LOG_FIELDS.attempt]: attempt,
        [LOG_FIELDS.durationMs]: duration,
      });
    },
    unwanted: ({ id, topic }) => logger.info('no target wants the message', { messageId: id, topic }),
    warn: (message, fields) => logger.warn(message, { ...fields }),
    setRequestId: (requestId) => logger.appendKeys({ requestId }),
  };
}
