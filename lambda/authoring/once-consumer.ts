import { OncehookError } from '../core/errors.ts';
import type { HandlerAnswer, JsonValue, Work } from '../core/handler.ts';

/** One outbox message as its consumer sees it. */
export interface ConsumedMessage<Payload = JsonValue> {
  /** The outbox id: the same on every copy. */
  readonly id: string;
  readonly topic: string;
  /** As it was emitted. Integers beyond 2^53 are `bigint`. Not validated. */
  readonly payload: Payload;
  readonly group: string | undefined;
}

/** What a consumer can do: all that a handler can, but for emitting messages, which it would get itself. */
export type ConsumerWork = Omit<Work, 'emit'>;

/** Applies one message: asks for writes, and returns what to remember, or nothing. */
export type MessageHandler<Payload = JsonValue> = (
  message: ConsumedMessage<Payload>,
  work: ConsumerWork,
) => HandlerAnswer;

/** The consumer of the outbox queue, as the functions and the stack use it. */
export interface Consumer<Payload = never> {
  readonly handle: MessageHandler<Payload>;
}

/**
 * Makes a consumer that applies each message of the outbox queue once, however often the queue delivers it: the
 * inbox remembers message ids as it does event ids.
 *
 * A message is received five times at most; then it waits in the outbox DLQ. `Permanent` sends it there at once.
 * `RetryLater` counts as a receive, waits 12 hours at most and is granted for a day in all.
 *
 * @example
 * export const consumer = onceConsumer<Receipt>(async (message, work) => {
 *   work.write({ Update: { TableName: tables.accounts, … } });
 * });
 * @throws OncehookError `CONFIG_INVALID` unless `handle` is a function.
 */
export function onceConsumer<Payload = JsonValue>(handle: MessageHandler<Payload>): Consumer<Payload> {
  if (typeof handle !== 'function') {
    throw new OncehookError('CONFIG_INVALID', 'onceConsumer takes a function of a message', { retryable: false });
  }
  return { handle };
}
