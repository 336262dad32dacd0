import type { FunctionSpec } from './function-spec.ts';
import { type Instance, type InstanceDeps, type InstanceView, startInstance } from './instance.ts';
import type { InvocationResult } from './invocation.ts';

export interface PoolSettings {
  /** Most instances of one function at a time. */
  readonly maxInstances: number;
  /** What a request meets when all of them are busy: a place in line, or Lambda's throttling. */
  readonly whenAllBusy: 'wait' | 'refuse';
}

export const DEFAULT_POOL: PoolSettings = { maxInstances: 20, whenAllBusy: 'wait' };

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
}

/**
 * Scales a function as Lambda does: one invocation per instance, a new instance when none is
 * idle, and the one that was used last taken first, so that a quiet function settles on one.
 */
export function createFunctionPool(
  spec: FunctionSpec,
  settings: PoolSettings,
  deps: Omit<InstanceDeps, 'spec' | 'events'>,
): FunctionPool {
  let code = spec;
  let closed = false;
  const waiting: Waiting[] = [];
  const idle: Instance[] = [];
  const alive = new Map<Instance, FunctionSpec>();
  const starting = new Set<Promise<unknown>>();
  /** Instances that have been asked for and are not ready yet. */
  let onTheWay = 0;

  function serve(): void {
    while (waiting.length > 0) {
      const instance = idle.pop();
      if (instance === undefined) break;
      const next = waiting.shift();
      if (next !== undefined) void instance.invoke(next.payload).then(next.answer);
    }
    while (waiting.length > onTheWay && size() < settings.maxInstances && !closed) start();
  }

  const size = (): number => alive.size + starting.size;

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
          waiting.shift()?.answer({ kind: 'failed', reason: String(error) });
        },
      )
      .finally(() => starting.delete(attempt));
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
    idle.push(instance);
    serve();
  }

  function onEnded(instance: Instance, initFailure: InvocationResult | undefined): void {
    alive.delete(instance);
    const place = idle.indexOf(instance);
    if (place >= 0) idle.splice(place, 1);
    if (initFailure !== undefined) {
      onTheWay -= 1;
      // One failed start answers one request, so a module that cannot load is not started for ever.
      waiting.shift()?.answer(initFailure);
    }
    if (!closed) serve();
  }

  return {
    invoke(payload) {
      if (closed) return Promise.resolve({ kind: 'throttled' });
      const full = idle.length === 0 && size() >= settings.maxInstances && waiting.length >= onTheWay;
      if (full && settings.whenAllBusy === 'refuse') return Promise.resolve({ kind: 'throttled' });
      return new Promise((answer) => {
        waiting.push({ payload, answer });
        serve();
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
      for (const instance of idle.splice(0)) void instance.kill();
    },
    async close() {
      closed = true;
      await Promise.all(starting);
      await Promise.all([...alive.keys()].map((instance) => instance.kill()));
      for (const { answer } of waiting.splice(0)) answer({ kind: 'throttled' });
    },
  };
}
