/**
 * What the deliverer needs from the outside.
 */
import type { SendResult } from './outbox-ports.ts';
import type { OutboxMessage } from './ports.ts';
import type { DurationMs } from './time.ts';

/** A message for one target. */
export interface AddressedMessage extends OutboxMessage {
  readonly target: string;
}

/** Where messages wait until their target has them. */
export interface DeliveriesQueue {
  /**
   * Sends any number of messages. The results are in the order of the messages; what the queue does not mention was
   * not sent. Nothing is thrown.
   */
  send(messages: readonly AddressedMessage[]): Promise<readonly SendResult[]>;
}

export interface PostRequest {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeout: DurationMs;
  /** Ends the request before its time. */
  readonly signal: AbortSignal;
}

export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  /** `reason` is a code: it may have been received all the same. */
  | { readonly kind: 'no-answer'; readonly reason: string };

/** Sends one HTTP request and follows no redirect. Nothing is thrown. */
export type HttpPost = (request: PostRequest) => Promise<PostAnswer>;

/** One request to one target. */
export interface DeliveryAttempt {
  readonly messageId: string;
  readonly topic: string;
  readonly target: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly answer: PostAnswer;
  readonly duration: DurationMs;
}

/** What happened to messages, for logs and metrics. */
export interface DeliverTelemetry {
  attempted(attempt: DeliveryAttempt): void;
  unwanted(message: OutboxMessage): void;
  warn(message: string, fields: Readonly<Record<string, string | number | undefined>>): void;
}

export const isDelivered = (answer: PostAnswer): boolean =>
  answer.kind === 'answered' && answer.status >= 200 && answer.status <= 299;
