/** Where waits come from, so that a test can let time pass without waiting. */
export interface Timers {
  /** Calls `run` once after so many milliseconds, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** Real time. A wait does not keep the process alive. */
export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
