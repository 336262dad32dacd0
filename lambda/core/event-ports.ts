/**
 * What becomes of events that are not finished where they arrived: the events queue, its dead-letter queue, and
 * the store for bodies that are too large for a message.
 */
import type { Envelope, StoredBody } from './envelope.ts';
import type { DurationMs } from './time.ts';

/** The queue that `work` reads. */
export interface EventsQueue {
  /**
   * Resolves when the queue has the event durably.
   *
   * @param delay For so long nobody gets it; more than 15 minutes become 15 minutes.
   * @throws OncehookError `QUEUE_UNAVAILABLE`
   */
  send(envelope: Envelope, delay: DurationMs): Promise<void>;
  /** Sends the events of one delivery. Says in their order which of them the queue has now; nothing is thrown. */
  sendAll(envelopes: readonly Envelope[]): Promise<readonly boolean[]>;
}

/** Where parked events wait for an operator. */
export interface DeadLetters {
  /** Resolves when the event is kept. @throws OncehookError `QUEUE_UNAVAILABLE` */
  send(envelope: Envelope): Promise<void>;
}

/** Keeps bodies that are too large for a message. */
export interface BodyStore {
  /** The same key again replaces the same bytes. @throws OncehookError `QUEUE_UNAVAILABLE` */
  put(key: string, bytes: Uint8Array): Promise<StoredBody>;
  /** `undefined` when there is no such body any more. @throws OncehookError `QUEUE_UNAVAILABLE` */
  get(at: StoredBody): Promise<Uint8Array | undefined>;
}
