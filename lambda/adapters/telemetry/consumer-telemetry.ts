import { Logger } from '@aws-lambda-powertools/logger';
import { LOG_FIELDS, METRICS, type MetricName } from '../../contract.ts';
import { cutText } from '../../core/cut-text.ts';
import type { ConsumerTelemetry } from '../../core/message-ports.ts';
import type { EventOutcome } from '../../core/outcome.ts';
import { sourceOfMessage } from '../../core/owed-message.ts';
import { SERVICE, writeMetrics } from './metric-line.ts';

/** Most of a topic that a line shows. */
const MAX_TOPIC_CHARACTERS = 100;

/** Logs and metrics of the consumer: one line a message with id, topic and outcome, never a payload. */
export function createConsumerTelemetry(): ConsumerTelemetry & { readonly setRequestId: (requestId: string) => void } {
  const logger = new Logger({ serviceName: SERVICE });
  return {
    messageEnded({ id, topic }, outcome, duration) {
      const source = sourceOfMessage(id);
      const metric = metricOf(outcome);
      if (metric !== undefined) {
        writeMetrics(source === '' ? undefined : source, [{ name: metric, unit: 'Count', value: 1 }]);
      }
      logger[levelOf(outcome)]('message outcome', {
        [LOG_FIELDS.outcome]: outcome.kind,
        messageId: id,
        topic: cutText(topic, MAX_TOPIC_CHARACTERS),
        [LOG_FIELDS.durationMs]: duration,
        ...('attempt' in outcome ? { [LOG_FIELDS.attempt]: outcome.attempt } : {}),
        ...('reason' in outcome ? { [LOG_FIELDS.reason]: outcome.reason } : {}),
        ...('error' in outcome && outcome.error !== undefined
          ? { errorName: outcome.error.name, errorMessage: outcome.error.message }
          : {}),
      });
    },
    // How long a message's handler takes is no part of how long an event takes.
    attemptMeasured: () => {},
    warn: (message, fields) => logger.warn(message, { ...fields }),
    setRequestId: (requestId) => logger.appendKeys({ requestId }),
  };
}

/** The others are counted by SQS: what stays in the queue and what comes into the DLQ. */
function metricOf({ kind }: EventOutcome): MetricName | undefined {
  if (kind === 'processed') return METRICS.consumed;
  return kind === 'duplicate' ? METRICS.consumerDuplicates : undefined;
}

const ERRORS: readonly EventOutcome['kind'][] = ['failed', 'parked', 'expired', 'store-down'];

const levelOf = ({ kind }: EventOutcome): 'error' | 'info' => (ERRORS.includes(kind) ? 'error' : 'info');
