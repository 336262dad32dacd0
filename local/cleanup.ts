/** What has to be undone, in the opposite order of being done. */
export interface Cleanup {
  /** When everything is undone already, `undo` runs at once: something came to be too late. */
  add(undo: () => unknown): void;
  /** Undoes everything once, whatever fails on the way; a second call waits for the first. */
  run(): Promise<void>;
}

export function createCleanup(): Cleanup {
  const undos: (() => unknown)[] = [];
  let running: Promise<void> | undefined;

  async function undoAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      try {
        await undo();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'local AWS did not stop cleanly');
  }

  return {
    add(undo) {
      undos.push(undo);
      if (running !== undefined) running = running.then(undoAll);
    },
    run() {
      running ??= undoAll();
      return running;
    },
  };
}
