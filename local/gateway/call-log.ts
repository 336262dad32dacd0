import type { Call } from '../faults/fault.ts';
import type { Caller } from './callers.ts';
import type { ServiceCall } from './gateway-service.ts';

/** The calls that have reached the gateway, with whatever became of them. */
export interface CallLog {
  /** How many there were. */
  readonly total: number;
  /** Those since the last time, or since the start, in order of arrival; of very many the latest. */
  take(): readonly Call[];
  /** Resolves with the first call from now on that satisfies `matches`. */
  next(matches: (call: Call) => boolean): Promise<Call>;
}

export interface WritableCallLog extends CallLog {
  /** Counts a call and notes it. */
  add(caller: Caller, call: ServiceCall): Call;
}

/** Enough for a long test run, little enough to leave running all day. */
const KEPT_CALLS = 20_000;

export function createCallLog(): WritableCallLog {
  let total = 0;
  let kept: Call[] = [];
  const counts = new WeakMap<Caller, { all: number; invocationId: string | undefined; ofInvocation: number }>();
  const waiting = new Set<(call: Call) => void>();

  function count(caller: Caller): Call['n'] {
    const { invocationId } = caller;
    const before = counts.get(caller);
    const inInvocation = before?.invocationId === invocationId ? (before?.ofInvocation ?? 0) : 0;
    const now = { all: (before?.all ?? 0) + 1, invocationId, ofInvocation: inInvocation + 1 };
    counts.set(caller, now);
    total += 1;
    return { total, ofInstance: now.all, ofInvocation: now.ofInvocation };
  }

  return {
    get total() {
      return total;
    },
    take: () => kept.splice(0),
    next: (matches) =>
      new Promise((resolve) => {
        const look = (call: Call): void => {
          if (!matches(call)) return;
          waiting.delete(look);
          resolve(call);
        };
        waiting.add(look);
      }),
    add(caller, serviceCall) {
      const { functionKey, instanceId, invocationId } = caller;
      const call = { ...serviceCall, functionKey, instanceId, invocationId, n: count(caller) };
      kept.push(call);
      if (kept.length > KEPT_CALLS) kept = kept.slice(KEPT_CALLS / 10);
      for (const look of waiting) look(call);
      return call;
    },
  };
}
