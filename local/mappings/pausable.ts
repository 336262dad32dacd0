import type { Timers } from '../functions/timers.ts';

/** What a poller can be told from outside: to pause, to go on, to end; and its waits, which none of these waits for. */
export interface Pausable {
  readonly isStopped: boolean;
  /** While it is paused: resolves when it goes on or ends. */
  readonly resumed: Promise<void> | undefined;
  /** Resolves after so many milliseconds, or sooner when it is woken. */
  wait(ms: number): Promise<void>;
  wake(): void;
  pause(): void;
  resume(): void;
  /** It is woken, and its pause ends. */
  stop(): void;
}

export function createPausable(timers: Timers): Pausable {
  let isStopped = false;
  let gate: PromiseWithResolvers<void> | undefined;
  let wake: () => void = () => {};
  const resume = (): void => {
    gate?.resolve();
    gate = undefined;
  };
  return {
    get isStopped() {
      return isStopped;
    },
    get resumed() {
      return gate?.promise;
    },
    wait: (ms) =>
      new Promise((resolve) => {
        if (isStopped) {
          resolve();
          return;
        }
        const cancel = timers.after(ms, resolve);
        wake = () => {
          cancel();
          resolve();
        };
      }),
    wake: () => wake(),
    pause() {
      gate ??= Promise.withResolvers<void>();
    },
    resume,
    stop() {
      isStopped = true;
      resume();
      wake();
    },
  };
}
