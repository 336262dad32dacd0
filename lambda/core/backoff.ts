import { type DurationMs, milliseconds } from './time.ts';

/**
 * Full jitter: a random wait between nothing and a limit that doubles with every try, so that
 * those who collided do not collide again.
 *
 * @param tries Counts from 0.
 * @param random From 0 to below 1.
 */
export const fullJitter = (tries: number, base: DurationMs, cap: DurationMs, random: number): DurationMs =>
  milliseconds(Math.floor(random * Math.min(cap, base * 2 ** tries)));
