import { availableParallelism } from 'node:os';
import type { FunctionSpec } from './function-spec.ts';
import { type Instance, type InstanceDeps, type InstanceView, startInstance } from './instance.ts';
import type { InvocationResult } from './invocation.ts';
import { systemTimers, type Timers } from './timers.ts';

export interface PoolSettings {
  /** Most instances of one function at a time. */
  readonly maxInstances: number;
  /** How long a call may wait in line while all of them are busy, before it is throttled; 0 is Lambda's way. */
  readonly waitMs: number;
  /** How long an instance may be without a call before it is ended. */
  readonly idleMs: number;
}

export const DEFAULT_POOL: PoolSettings = {
  // What a small laptop carries: some 45 MB each.
  maxInstances: 20,
  // An HTTP API gives up after 30 s, and `receive` may take 10 s by default: whoever waits longer than
  // the rest would be run with nobody left to answer.
  waitMs: 20_000,
  // Lambda says no figure; people see about this.
  idleMs: 5 * 60_000,
};

/** A start is all processor time: too many at once, and none is ready soon. */
const STARTS_AT_ONCE = Math.max(4, 2 * availableParallelism());

/** Every instance of one function. */
export interface FunctionPool {
  /** Runs the function once, on an idle instance if there is one and on a new one otherwise. */
  invoke(payload: string): Promise<InvocationResult>;
  instances(): readonly InstanceView[];
  /** SIGKILL to every instance; returns how many there were. Later calls start new ones. */
  killInstances(): Promise<number>;
  /** From now on starts instances of this code; older ones finish what they are doing and end. */
  replace(spec: FunctionSpec): void;
  /** Kills every instance and answers whoever is waiting. */
  close(): Promise<void>;
}

interface Waiting {
  readonly payload: string;
  readonly answer: (result: InvocationResult) => void;
  /** Called when it leaves the line. */
  stopWaiting: () => void;
}

interface Idle {
  readonly instance: Instance;
  readonly cancelEnd: () => void;
}

/**
 * Scales a function as Lambda does: one invocation per instance, a new instance when none is
 * idle, and the one that was used last taken first, so that a quiet function settles on one.
 */
export function createFunctionPool(
  spec: FunctionSpec,
  settings: PoolSettings,
  deps: Omit<InstanceDeps, 'spec' | 'events'>,
  timers: Timers = systemTimers,
): FunctionPool {
  let code = spec;
  let closed = false;
  const waiting: Waiting[] = [];
  const idle: Idle[] = [];
  const alive = new Map<Instance, FunctionSpec>();
  const starting = new Set<Promise<unknown>>();
  /** Instances that have been asked for and are not ready yet. */
  let onTheWay = 0;

  function serve(): void {
    while (waiting.length > 0) {
      const instance = takeIdle();
      if (instance === undefined) break;
      const next = takeFirst();
      if (next !== undefined) void instance.invoke(next.payload).then(next.answer);
    }
    while (waiting.length > onTheWay && onTheWay < STARTS_AT_ONCE && mayStart() > 0 && !closed) start();
  }

  const mayStart = (): number => settings.maxInstances - alive.size - starting.size;

  function takeFirst(): Waiting | undefined {
    const first = waiting.shift();
    first?.stopWaiting();
    return first;
  }

  function takeIdle(): Instance | undefined {
    const last = idle.pop();
    last?.cancelEnd();
    return last?.instance;
  }

  /** Refuses a call for which there is neither an instance nor one that can be started. */
  function throttle(call: Waiting): void {
    const place = waiting.indexOf(call);
    if (place < onTheWay + mayStart()) return;
    waiting.splice(place, 1);
    deps.logs.write({
      functionKey: code.key,
      instanceId: '',
      from: 'platform',
      text: `throttled: all ${settings.maxInstances} instances are busy`,
    });
    call.answer({ kind: 'throttled' });
  }

  function start(): void {
    onTheWay += 1;
    const startedFor = code;
    const attempt = startInstance({ ...deps, spec: startedFor, events: { onIdle, onEnded } })
      .then(
        (instance) => {
          // It may have ended before this line, and then must not be counted as alive.
          if (instance.view().state !== 'ended') alive.set(instance, startedFor);
          if (closed) void instance.kill();
        },
        (error: unknown) => {
          onTheWay -= 1;
          takeFirst()?.answer({ kind: 'failed', reason: String(error) });
        },
      )
      .finally(() => {
        starting.delete(attempt);
        serve();
      });
    starting.add(attempt);
  }

  const ready = new WeakSet<Instance>();

  function onIdle(instance: Instance): void {
    if (!ready.has(instance)) {
      ready.add(instance);
      onTheWay -= 1;
    }
    if (closed || (alive.get(instance) ?? code) !== code) {
      void instance.kill();
      return;
    }
    idle.push({
      instance,
      cancelEnd: timers.after(settings.idleMs, () => {
        leaveIdle(instance);
        void instance.kill();
      }),
    });
    serve();
  }

  function onEnded(instance: Instance, initFailure: InvocationResult | undefined): void {
    alive.delete(instance);
    leaveIdle(instance);
    if (initFailure !== undefined) {
      onTheWay -= 1;
      // One failed start answers one request, so a module that cannot load is not started for ever.
      takeFirst()?.answer(initFailure);
    }
    if (!closed) serve();
  }

  function leaveIdle(instance: Instance): void {
    const place = idle.findIndex((each) => each.instance === instance);
    for (const { cancelEnd } of place < 0 ? [] : idle.splice(place, 1)) cancelEnd();
  }

  return {
    invoke(payload) {
      if (closed) return Promise.resolve({ kind: 'throttled' });
      return new Promise((answer) => {
        const call: Waiting = { payload, answer, stopWaiting: () => {} };
        waiting.push(call);
        serve();
        if (waiting.includes(call)) call.stopWaiting = timers.after(settings.waitMs, () => throttle(call));
      });
    },
    instances: () => [...alive.keys()].map((instance) => instance.view()),
    async killInstances() {
      const victims = [...alive.keys()];
      await Promise.all(victims.map((instance) => instance.kill()));
      return victims.length;
    },
    replace(spec) {
      code = spec;
      for (let old = takeIdle(); old !== undefined; old = takeIdle()) void old.kill();
    },
    async close() {
      closed = true;
      await Promise.all(starting);
      await Promise.all([...alive.keys()].map((instance) => instance.kill()));
      for (let call = takeFirst(); call !== undefined; call = takeFirst()) call.answer({ kind: 'throttled' });
    },
  };
}
