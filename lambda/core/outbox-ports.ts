/**
 * What dispatch and sweep need from the outside.
 */
import type { OwedMessage, OwedState } from './owed-message.ts';
import type { DurationMs, EpochMs } from './time.ts';

/** Whether the queue has a message now. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** May pass later; `reason` is a code. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** Can never be taken as it is. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Where outbox messages go. */
export interface OutboxQueue {
  /** Bytes that a message takes of a batch, attributes and all. */
  sizeOf(message: OwedMessage): number;
  /**
   * Sends at most ten messages that fit one batch. The results are in the order of the messages;
   * what the queue does not mention was not sent. Nothing is thrown.
   */
  send(messages: readonly OwedMessage[]): Promise<readonly SendResult[]>;
}

/** What a row of the outbox says; one that cannot be read has its id alone. */
export type OwedRow =
  | { readonly kind: 'owed'; readonly message: OwedMessage }
  | { readonly kind: 'unreadable'; readonly id: string; readonly isStuck: boolean; readonly reason: string };

/** The messages that are still owed. Every method throws as `InboxStore`'s do. */
export interface OutboxStore {
  /** Removes a message that the queue has, unless its row is another one by now. */
  remove(message: OwedMessage): Promise<void>;
  /** Notes a failed sending, unless the row is another one by now. */
  postpone(
    message: OwedMessage,
    next: { readonly state: OwedState; readonly attempts: number; readonly dueAt: EpochMs },
  ): Promise<void>;
  /** Takes a row that nobody can read out of the way. */
  setAside(id: string): Promise<void>;
  /** All rows, a page at a time. */
  pages(): AsyncIterable<readonly OwedRow[]>;
}

/** What happened to outbox messages, for logs and metrics. */
export interface OutboxTelemetry {
  /** @param lag From the commit to the queue. */
  messageSent(message: OwedMessage, lag: DurationMs): void;
  messageNotSent(message: OwedMessage, reason: string, isStuck: boolean): void;
  /** After a sweep. @param oldest Age of the oldest message that is still tried; 0 without one. @param stuck Rows that are not tried any more. */
  swept(oldest: DurationMs, stuck: number): void;
  warn(message: string, fields: Readonly<Record<string, string | number | undefined>>): void;
}
