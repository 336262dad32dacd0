import type { Envelope } from '../core/envelope.ts';
import type { EventRule } from '../core/handler.ts';
import type { FailureSummary, ParkReason } from '../core/outcome.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';

/** What a source wants done with an event that may be older than the dedup window. */
export type OlderThanWindow = 'park' | 'process' | 'drop';

/** What is known of an event besides itself, and where it can go from here. */
export interface EventContext {
  /** `undefined` when no handler is registered for any of the event's types. */
  readonly rule: EventRule<never> | undefined;
  /** How long the provider waits for an answer, where that is known. */
  readonly deadline: DurationMs | undefined;
  readonly olderThanWindow: OlderThanWindow;
  /**
   * When this copy was put into the queue that it came from; absent for a delivery. Of a parked event, a copy that is
   * older than its parking is one more of the automatic attempts that have ended, and a younger one is a redrive.
   */
  readonly sentAt: EpochMs | undefined;
  /** When its handler first asked for a later attempt. */
  readonly postponedSince: EpochMs | undefined;
  /**
   * Puts a copy into the events queue. Absent where whoever brought the event brings it again: a worker's own
   * message, or a provider that is asked to retry.
   *
   * @throws OncehookError `QUEUE_UNAVAILABLE`
   */
  readonly queue: ((delay: DurationMs, wait?: QueueWait) => Promise<void>) | undefined;
  /**
   * Keeps the event where an operator finds it.
   *
   * @throws OncehookError `QUEUE_UNAVAILABLE`
   */
  readonly park: (reason: ParkReason, error: FailureSummary | undefined) => Promise<void>;
}

export type QueueWait = Pick<Envelope, 'notBefore' | 'postponedSince'>;
