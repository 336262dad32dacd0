import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Callers } from '../gateway/callers.ts';
import type { Guardian } from '../processes/guardian.ts';
import { buildFunctionEnvironment, type Surroundings } from './function-environment.ts';
import type { FunctionSpec } from './function-spec.ts';
import { INIT_TIMEOUT_MS, type InvocationResult } from './invocation.ts';
import type { WritableLogFeed } from './log-feed.ts';
import { heapOptions, MEMORY_CHECK_MS, readPrivateMemoryMb } from './memory.ts';
import { startRuntimeApi } from './runtime-api.ts';

export type InstanceState = 'starting' | 'idle' | 'busy' | 'ended';

/** An instance as others may see it. */
export interface InstanceView {
  readonly id: string;
  readonly functionKey: string;
  readonly pid: number;
  readonly state: InstanceState;
}

/** One process that runs one function, one invocation at a time. */
export interface Instance {
  view(): InstanceView;
  /** Runs one invocation. Only for an instance that is `idle`. */
  invoke(payload: string): Promise<InvocationResult>;
  /** SIGKILL; resolves when the process has gone. */
  kill(): Promise<void>;
}

/** The invocation that an instance is at. */
interface Running {
  readonly requestId: string;
  /** Set when the runtime has reported it. */
  result: InvocationResult | undefined;
  /** `ending` counts when there is no result. */
  readonly end: (ending?: InvocationResult) => void;
}

/** What an instance tells its pool. */
export interface InstanceEvents {
  /** It can take an invocation: after its start, and after each one. */
  onIdle(instance: Instance): void;
  /** It will take no more. `initFailure` is set when it never came to take one. */
  onEnded(instance: Instance, initFailure: InvocationResult | undefined): void;
}

export interface InstanceDeps {
  readonly spec: FunctionSpec;
  readonly surroundings: Surroundings;
  readonly callers: Callers;
  readonly guardian: Guardian;
  readonly logs: WritableLogFeed;
  /** Asked when the runtime has handed in a result and nobody has it yet; `kill` loses it. */
  readonly beforeAnswer?: BeforeAnswer | undefined;
  readonly events: InstanceEvents;
}

/** A place to end an instance between its work and its answer. */
export type BeforeAnswer = (answer: {
  readonly functionKey: string;
  /** The result as JSON. */
  readonly payload: string;
}) => 'kill' | 'go on';

const RUNTIME = createRequire(import.meta.url).resolve('aws-lambda-ric');
const USE_RUNTIME_CLIENT = fileURLToPath(new URL('use-runtime-client.ts', import.meta.url));

/**
 * Starts a process with AWS's own runtime client and the function's bundle in it.
 *
 * An invocation is over when the runtime asks for the next one, right after its result: whoever
 * then invokes again finds this instance idle. Until then its process is frozen (SIGSTOP): what the
 * handler left running goes on in the next invocation, or never.
 *
 * An instance ends when its process exits, by itself or by a kill; an invocation without a result
 * by then is `crashed` or `timed-out`. One that is over the function's memory is killed, and has no result.
 */
export async function startInstance(deps: InstanceDeps): Promise<Instance> {
  const { spec, events, logs } = deps;
  const id = randomUUID();
  const caller = deps.callers.admit({ functionKey: spec.key, instanceId: id });
  let state: InstanceState = 'starting';
  let current: Running | undefined;
  let initError: string | undefined;
  let timedOut = false;
  let memoryExcess = '';

  const api = await startRuntimeApi({
    onReady() {
      if (state === 'ended') return;
      clearTimeout(initTimer);
      state = 'idle';
      current?.end();
      events.onIdle(instance);
      // By now it may have been given the next invocation.
      if (state === 'idle') child.kill('SIGSTOP');
    },
    onResponse(requestId, payload) {
      if (deps.beforeAnswer?.({ functionKey: spec.key, payload }) === 'kill') child.kill('SIGKILL');
      else finish(requestId, { kind: 'returned', payload });
    },
    onError: (requestId, reason) => finish(requestId, { kind: 'failed', reason }),
    onInitError(reason) {
      initError = reason;
    },
  });

  const args = [...heapOptions(spec.memoryMb), '--import', USE_RUNTIME_CLIENT, RUNTIME, spec.handler];
  const child = spawn(process.execPath, args, {
    cwd: spec.codeDirectory,
    // Its own group: Ctrl-C in the terminal is for the runner, which then ends its instances.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: buildFunctionEnvironment(spec, deps.surroundings, {
      runtimeApi: api.address,
      logStream: `local/[$LATEST]${id}`,
      credentials: caller.credentials,
    }),
  });
  deps.guardian.guard(child);
  caller.runsIn(child);
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (text) => log('function', text));
  }

  const initTimer = setTimeout(() => {
    initError = `the module did not load within ${INIT_TIMEOUT_MS / 1000} s`;
    child.kill('SIGKILL');
  }, INIT_TIMEOUT_MS);

  const gone = exitOf(child).then(async (exit) => {
    const how = exit + memoryExcess;
    clearTimeout(initTimer);
    const before = state;
    state = 'ended';
    await api.close();
    const ending: InvocationResult = timedOut ? { kind: 'timed-out' } : { kind: 'crashed', reason: initError ?? how };
    if (current !== undefined) {
      log(
        'platform',
        timedOut ? `Task timed out after ${(spec.timeoutMs / 1000).toFixed(2)} seconds` : `Runtime ${how}`,
      );
      current.end(ending);
    } else if (before === 'starting') {
      log('platform', `Init failed: ${initError ?? how}`);
    }
    events.onEnded(instance, before === 'starting' ? ending : undefined);
  });

  function finish(requestId: string, result: InvocationResult): void {
    // A result does not help an instance that Lambda would have killed before it.
    if (current?.requestId === requestId && !killOverMemory()) current.result ??= result;
  }

  function killOverMemory(): boolean {
    const usedMb = readPrivateMemoryMb(child.pid ?? 0);
    if (usedMb === undefined || usedMb <= spec.memoryMb) return false;
    memoryExcess = `: out of memory, ${Math.ceil(usedMb)} MB of ${spec.memoryMb} MB`;
    child.kill('SIGKILL');
    return true;
  }

  const log = (from: 'function' | 'platform', text: string): void =>
    logs.write({ functionKey: spec.key, instanceId: id, from, text });

  const instance: Instance = {
    view: () => ({ id, functionKey: spec.key, pid: child.pid ?? 0, state }),
    invoke(payload) {
      if (state !== 'idle') throw new Error(`instance ${id} is ${state}, not idle`);
      state = 'busy';
      const requestId = randomUUID();
      caller.begins(requestId);
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          timedOut = true;
          child.kill('SIGKILL');
        }, spec.timeoutMs);
        const memoryTimer = setInterval(killOverMemory, MEMORY_CHECK_MS);
        const running: Running = {
          requestId,
          result: undefined,
          end(ending) {
            clearTimeout(timer);
            clearInterval(memoryTimer);
            current = undefined;
            resolve(running.result ?? ending ?? { kind: 'failed', reason: 'the runtime gave no result' });
          },
        };
        current = running;
        child.kill('SIGCONT');
        api.deliver({ requestId, payload, functionArn: spec.arn, deadlineMs: Date.now() + spec.timeoutMs });
      });
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
  return instance;
}

async function exitOf(child: ChildProcess): Promise<string> {
  try {
    await once(child, 'exit');
  } catch (error) {
    return `could not be started: ${error instanceof Error ? error.message : error}`;
  }
  return child.signalCode === null ? `exited with status ${child.exitCode}` : `exited with signal ${child.signalCode}`;
}
