import { fullJitter } from '../core/backoff.ts';
import { isOncehookError } from '../core/errors.ts';
import type { Chance, Clock, Invocation } from '../core/ports.ts';
import { milliseconds } from '../core/time.ts';

/** A conflicting transaction is over in tens of milliseconds, so the waits begin there. */
export const RETRY_BASE = milliseconds(40);
export const RETRY_CAP = milliseconds(640);

/** Five tries span about a second in the mean: past that the store is down and not busy. */
const MAX_TRIES = 5;

/** Left alone before the end of the invocation, for the answer. */
const TIME_TO_ANSWER = milliseconds(300);

/**
 * Repeats a single fenced write that was refused for load or conflict, or not answered, with full
 * jitter. Safe because the write's own condition tells a repetition from a first time.
 *
 * @throws the last error when the tries or the time are used up, and at once what cannot pass.
 */
export async function retryWrite<T>(
  deps: { readonly clock: Clock; readonly chance: Chance },
  invocation: Invocation,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const wait = fullJitter(tries, RETRY_BASE, RETRY_CAP, deps.chance.random());
      const inTime = deps.clock.now() + wait + TIME_TO_ANSWER < invocation.endsAt;
      if (!isOncehookError(error) || !error.retryable || tries + 1 >= MAX_TRIES || !inTime) throw error;
      await deps.clock.sleep(wait);
    }
  }
}
