/**
 * What a handler throws to say more than "it failed". Any other error is an
 * ordinary failure: the event is released and tried again.
 */

/**
 * Ends automatic attempts at once: this event can never succeed as it is.
 *
 * @example throw new Permanent('the invoice has no customer');
 */
export class Permanent extends Error {
  override readonly name = 'Permanent';
}

/**
 * Asks for a later attempt, for example because a prerequisite has not arrived yet.
 *
 * @example throw new RetryLater(60, 'the order is not known yet');
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  /** Whole seconds until the event should be tried again. */
  readonly seconds: number;

  /** @throws RangeError unless `seconds` is a whole number from 1 to 86,400. */
  constructor(seconds: number, reason: string) {
    super(reason);
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > 86_400) {
      throw new RangeError(`RetryLater takes whole seconds from 1 to 86400, got ${seconds}`);
    }
    this.seconds = seconds;
  }
}

/**
 * A condition that the handler put on one of its writes did not hold, so nothing of
 * the event was written. It counts as the handler's own failure.
 */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly table: string;
  readonly key: Readonly<Record<string, unknown>>;
  /** The item as it was, when it existed and the write asked for it. */
  readonly item: Readonly<Record<string, unknown>> | undefined;

  constructor(
    table: string,
    key: Readonly<Record<string, unknown>>,
    item: Readonly<Record<string, unknown>> | undefined,
  ) {
    super(
      `a condition on table ${table} did not hold for the item with the key attributes ${Object.keys(key).join(', ')}`,
    );
    this.table = table;
    this.key = key;
    this.item = item;
  }
}

/** By name, so that a second copy of this module is still recognised. */
export const isPermanent = (error: unknown): error is Permanent => error instanceof Error && error.name === 'Permanent';

/** By name, see {@link isPermanent}. */
export const isRetryLater = (error: unknown): error is RetryLater =>
  error instanceof Error && error.name === 'RetryLater' && 'seconds' in error && Number.isInteger(error.seconds);
