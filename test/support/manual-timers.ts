import type { Timers } from '../../local/functions/timers.ts';

export interface ManualTimers extends Timers {
  /** Lets so many milliseconds pass, and calls what is due by then, in order. */
  advance(ms: number): void;
}

/** Time that stands still until a test moves it. */
export function createManualTimers(): ManualTimers {
  let now = 0;
  const pending = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    after(ms, run) {
      const timer = { at: now + ms, run };
      pending.add(timer);
      return () => pending.delete(timer);
    },
    advance(ms) {
      now += ms;
      const due = [...pending].filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at);
      for (const timer of due) {
        if (pending.delete(timer)) timer.run();
      }
    },
  };
}
