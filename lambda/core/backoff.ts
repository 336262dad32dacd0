import { type DurationMs, hours, milliseconds } from './time.ts';

/**
 * Full jitter: a random wait between nothing and a limit that doubles with every try, so that
 * those who collided do not collide again.
 *
 * @param tries Counts from 0.
 * @param random From 0 to below 1.
 */
export const fullJitter = (tries: number, base: DurationMs, cap: DurationMs, random: number): DurationMs =>
  milliseconds(Math.floor(random * Math.min(cap, base * 2 ** tries)));

/** Longest wait before an event that failed is tried again. */
const LONGEST_RETRY = hours(1);

/**
 * How long an event rests after a failed attempt.
 *
 * @param attempt Counts from 1.
 * @param base The limit after the first attempt.
 */
export const retryWait = (attempt: number, base: DurationMs, random: number): DurationMs =>
  fullJitter(Math.max(0, attempt - 1), base, LONGEST_RETRY, random);
