import type { DurationMs, EpochMs } from './time.ts';

/** One message of a queue, as a function gets it. */
export interface QueueMessage {
  readonly messageId: string;
  /** Proves this receipt of the message. */
  readonly receipt: string;
  readonly body: string;
  /** Receipts so far, this one included. */
  readonly receives: number;
  /** A move to the DLQ of a FIFO queue and every redrive begin it anew. */
  readonly sentAt: EpochMs | undefined;
  readonly firstReceivedAt: EpochMs | undefined;
  /** Of a FIFO queue. */
  readonly groupId: string | undefined;
  /** Texts that were sent beside the body, by name. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What becomes of a received message: deleted, or left in the queue to come again. */
export type MessageFate = 'done' | 'keep';

/** Says when a message that is kept comes again. */
export interface MessageVisibility {
  /**
   * Hides a received message for so long from now; more than SQS allows becomes what it allows. Nothing is thrown: if
   * it fails, the message comes again when the queue's own time-out ends.
   */
  hide(message: QueueMessage, duration: DurationMs): Promise<void>;
}
