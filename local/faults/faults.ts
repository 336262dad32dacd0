import type { Caller } from '../gateway/callers.ts';
import type { Call, Fault, FaultCounts, FaultKind, FaultSource, Killed } from './fault.ts';

/** One source of faults that is in use. */
export interface FaultUse {
  /** What it has done so far. */
  readonly injected: FaultCounts;
  /** No call meets it any more; those it holds are still held. */
  end(): void;
}

/** What goes wrong between the functions and the services. */
export interface Faults {
  /** Adds a source; of several, the one added first that has a fault for a call decides. */
  use(source: FaultSource): FaultUse;
  /** What all sources have done so far. */
  readonly injected: FaultCounts;
  readonly killed: readonly Killed[];
}

/** The side of the faults that the gateway asks. */
export interface FaultInjector {
  choose(call: Call): ChosenFault | undefined;
}

export interface ChosenFault {
  readonly fault: Fault;
  /** Counts the fault as done. */
  done(): void;
  /** Kills the caller and counts that, unless it was dead by then. */
  kill(caller: Caller, when: 'before' | 'after'): void;
}

export function createFaults(): Faults & FaultInjector {
  const uses = new Map<FaultSource, Record<FaultKind, number>>();
  const injected = noFaults();
  const killed: Killed[] = [];

  return {
    injected,
    killed,
    use(source) {
      const counts = noFaults();
      uses.set(source, counts);
      return { injected: counts, end: () => uses.delete(source) };
    },
    choose(call) {
      for (const [source, counts] of uses) {
        const fault = source(call);
        if (fault === undefined) continue;
        const done = (): void => {
          counts[fault.kind] += 1;
          injected[fault.kind] += 1;
        };
        return {
          fault,
          done,
          kill(caller, when) {
            if (!caller.kill()) return;
            done();
            killed.push({ call, when, pid: caller.pid });
          },
        };
      }
      return undefined;
    },
  };
}

const noFaults = (): Record<FaultKind, number> => ({
  refuse: 0,
  throttle: 0,
  conflict: 0,
  partial: 0,
  cut: 0,
  'delay-before': 0,
  'delay-after': 0,
  'drop-answer': 0,
  'kill-before': 0,
  'kill-after': 0,
});
