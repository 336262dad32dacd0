import { fullJitter } from '../core/backoff.ts';
import { type DurationMs, type EpochMs, hours, milliseconds, seconds } from '../core/time.ts';

/** The limit of the first wait: a target that was restarted is back by then. */
const FIRST_WAIT = seconds(10);

const LONGEST_WAIT = hours(1);

/** The longest for which a target is left alone because it asked for it: SQS hides a message for no longer. */
const LONGEST_ASKED = hours(12);

/**
 * So often a target may ask for more than {@link LONGEST_WAIT}. Were it always heard, it could put a message off until
 * the queue's 14 days are over, and nothing would be left of it.
 */
const PATIENT_ATTEMPTS = 6;

/**
 * How long a message rests after an attempt that failed: full jitter, doubling, an hour at most; and no less than what
 * the target asked for.
 *
 * @param attempt Counts from 1.
 * @param asked By `Retry-After`.
 * @param random From 0 to below 1.
 */
export function waitBeforeNext(attempt: number, asked: DurationMs | undefined, random: number): DurationMs {
  const backOff = fullJitter(attempt - 1, FIRST_WAIT, LONGEST_WAIT, random);
  if (asked === undefined) return backOff;
  const heard = Math.min(asked, attempt <= PATIENT_ATTEMPTS ? LONGEST_ASKED : LONGEST_WAIT);
  return milliseconds(Math.max(backOff, heard));
}

/**
 * The wait that a `Retry-After` asks for, in seconds or by a date; `undefined` when it does not say.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(value: string | undefined, now: EpochMs): DurationMs | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return seconds(Number(value));
  // Of the three forms of a date, the only one that may be sent; Date.parse takes much that is none.
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  return Number.isNaN(at) ? undefined : milliseconds(Math.max(0, at - now));
}
