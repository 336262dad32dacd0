/**
 * What the consumer of the outbox queue needs from the outside.
 */
import type { EventOutcome, ParkReason } from './outcome.ts';
import type { Telemetry } from './ports.ts';
import type { QueueMessage } from './queue-message.ts';
import type { DurationMs } from './time.ts';

/** What names an outbox message. */
export interface MessageName {
  /** The outbox id, as it was sent. */
  readonly id: string;
  readonly topic: string;
  readonly group: string | undefined;
}

/** Where outbox messages wait that a consumer gave up. */
export interface MessageDeadLetters {
  /**
   * Sends the message as it came, with the reason. Resolves when it is kept.
   *
   * @throws OncehookError `QUEUE_UNAVAILABLE`
   */
  send(message: QueueMessage, reason: ParkReason): Promise<void>;
}

/** What happened to consumed messages, for logs and metrics. Implementations never see a payload. */
export interface ConsumerTelemetry extends Pick<Telemetry, 'warn' | 'attemptMeasured'> {
  messageEnded(name: MessageName, outcome: EventOutcome, duration: DurationMs): void;
}
