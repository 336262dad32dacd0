import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance, Clock, Invocation } from '../core/ports.ts';
import { epochMs } from '../core/time.ts';

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => epochMs(Date.now()),
  sleep: (duration) => sleep(duration),
};

/** The machine's own randomness. */
export const systemChance: Chance = {
  token: () => randomUUID(),
  random: () => Math.random(),
};

/** A handler is told to stop this long before it is killed, in milliseconds. */
const WARNING_MS = 1000;

/**
 * The life of an invocation. `end` must be called when it is over: a timer left behind would fire
 * in a later one.
 *
 * @param remainingMs As Lambda reports it; 0 is a value and means that nothing is left.
 */
export function startInvocation(remainingMs: number): Invocation & { readonly end: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error('the invocation ends in a second')),
    Math.max(0, remainingMs - WARNING_MS),
  );
  return {
    endsAt: epochMs(Date.now() + remainingMs),
    signal: controller.signal,
    end: () => clearTimeout(timer),
  };
}
