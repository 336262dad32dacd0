import type { Clock } from '../core/ports.ts';
import { between, type DurationMs, plus } from '../core/time.ts';

/** How often something may be asked for, whoever causes it. */
export interface Budget {
  /** Whether it may be asked for now; then it counts as asked. */
  spend(): boolean;
}

/** So many at once, and one more after each `growsEvery`. */
export function createBudget(most: number, growsEvery: DurationMs, clock: Pick<Clock, 'now'>): Budget {
  let left = most;
  let countedAt = clock.now();
  return {
    spend() {
      const grown = Math.floor(between(countedAt, clock.now()) / growsEvery);
      left = Math.min(most, left + grown);
      countedAt = plus(countedAt, grown * growsEvery);
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}
