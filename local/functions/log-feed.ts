/** One line that a function, or the platform on its behalf, has written. */
export interface LogEntry {
  /** Which line of all, from 1. */
  readonly n: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly atMs: number;
  /** The function's key, such as `receive`. */
  readonly functionKey: string;
  readonly instanceId: string;
  readonly from: 'function' | 'platform';
  readonly text: string;
  /** The line's fields when it is a JSON object. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** The latest lines of every function, in order of arrival. */
export interface LogFeed {
  readonly entries: readonly LogEntry[];
  /** Calls `listener` for each new line until the returned function is called. */
  subscribe(listener: (entry: LogEntry) => void): () => void;
  /**
   * Resolves with the first line, past or future, that satisfies `matches`. Lines cross a pipe,
   * so one that belongs to a response may come a moment after it.
   */
  waitFor(matches: (entry: LogEntry) => boolean, signal?: AbortSignal): Promise<LogEntry>;
}

export interface WritableLogFeed extends LogFeed {
  write(entry: Omit<LogEntry, 'n' | 'atMs' | 'fields'>): void;
}

/** Enough for a long test run, little enough to leave running all day. */
const KEPT_ENTRIES = 20_000;

export function createLogFeed(now: () => number = Date.now): WritableLogFeed {
  const entries: LogEntry[] = [];
  let written = 0;
  const listeners = new Set<(entry: LogEntry) => void>();

  const subscribe = (listener: (entry: LogEntry) => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };

  return {
    entries,
    subscribe,
    write(line) {
      written += 1;
      const entry = { ...line, n: written, atMs: now(), fields: parseFields(line.text) };
      entries.push(entry);
      if (entries.length > KEPT_ENTRIES) entries.splice(0, KEPT_ENTRIES / 10);
      for (const listener of listeners) listener(entry);
    },
    waitFor(matches, signal) {
      const past = entries.find(matches);
      if (past !== undefined) return Promise.resolve(past);
      return new Promise((resolve, reject) => {
        const unsubscribe = subscribe((entry) => {
          if (!matches(entry)) return;
          unsubscribe();
          resolve(entry);
        });
        signal?.addEventListener('abort', () => {
          unsubscribe();
          reject(signal.reason);
        });
      });
    },
  };
}

function parseFields(text: string): LogEntry['fields'] {
  if (!text.startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : undefined;
  } catch {
    return undefined;
  }
}
