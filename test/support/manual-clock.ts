import type { Clock } from '../../lambda/core/ports.ts';
import { type EpochMs, epochMs, plus } from '../../lambda/core/time.ts';

/** 2026-12-01T00:00:00Z: where every test's time begins. */
export const T0 = epochMs(Date.UTC(2026, 11, 1));

export interface ManualClock extends Clock {
  advance(ms: number): void;
  set(at: EpochMs): void;
  /** Every wait that was asked for, in order. */
  readonly waits: readonly number[];
  /** Called at every wait, before the time passes: where a test lets something happen meanwhile. */
  onWait: ((ms: number) => Promise<void> | void) | undefined;
}

/** A clock that stands still; a wait is over at once and moves it. */
export function createManualClock(start: EpochMs = T0): ManualClock {
  let now = start;
  const waits: number[] = [];
  const clock: ManualClock = {
    waits,
    onWait: undefined,
    now: () => now,
    async sleep(duration) {
      waits.push(duration);
      await clock.onWait?.(duration);
      now = plus(now, duration);
    },
    advance(ms) {
      now = plus(now, ms);
    },
    set(at) {
      now = at;
    },
  };
  return clock;
}
