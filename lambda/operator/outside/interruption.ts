/** Ctrl-C, or a reader that has seen enough, while something is under way that must not be left half done. */
export interface Interruption {
  /** Runs `work` with a signal that the first interruption aborts, so that it can end where nothing is half done. */
  untilInterrupted<T>(work: (interruption: AbortSignal) => Promise<T>): Promise<T>;
  /** Interrupts what is under way. @returns `false` when nothing is. */
  interrupt(): boolean;
}

/** @param onInterrupted Told of the first Ctrl-C; a second one ends the process as it always does. */
export function createInterruption(
  onInterrupted: () => void,
  signals: Pick<NodeJS.EventEmitter, 'once' | 'off'> = process,
): Interruption {
  let current: AbortController | undefined;
  return {
    async untilInterrupted(work) {
      const controller = new AbortController();
      const interrupt = () => {
        controller.abort();
        onInterrupted();
      };
      current = controller;
      signals.once('SIGINT', interrupt);
      try {
        return await work(controller.signal);
      } finally {
        signals.off('SIGINT', interrupt);
        current = undefined;
      }
    },
    interrupt() {
      current?.abort();
      return current !== undefined;
    },
  };
}
