import {
  createFunctionPool,
  DEFAULT_POOL,
  type FunctionPool,
  type PoolSettings,
} from '../../../../local/functions/function-pool.ts';
import type { FunctionSpec } from '../../../../local/functions/function-spec.ts';
import type { InvocationResult } from '../../../../local/functions/invocation.ts';
import { createLogFeed, type LogFeed } from '../../../../local/functions/log-feed.ts';
import { systemTimers, type Timers } from '../../../../local/functions/timers.ts';
import { createCallers } from '../../../../local/gateway/callers.ts';
import { startGuardian } from '../../../../local/processes/guardian.ts';
import { FIXTURE_BUNDLE } from '../fixtures/a-template.ts';

export const aFunction = (changes: Partial<FunctionSpec> = {}): FunctionSpec => ({
  logicalId: 'Receive',
  key: 'receive',
  name: 'Oncehook-dev-Receive',
  arn: 'arn:aws:lambda:us-east-1:000000000000:function:Oncehook-dev-Receive',
  codeDirectory: FIXTURE_BUNDLE,
  handler: 'index.handler',
  timeoutMs: 10_000,
  memoryMb: 512,
  logGroup: '/aws/lambda/Oncehook-dev-Receive',
  logFormat: 'JSON',
  logLevel: undefined,
  environment: { ONCEHOOK_JOIN_MS: '1500' },
  ...changes,
});

export interface RunningPool {
  readonly pool: FunctionPool;
  readonly logs: LogFeed;
  /** Invokes with an event of the fixture's and returns the result parsed. */
  run(event: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

/** A pool of the function that does what its event says. */
export function startPool(
  changes: Partial<FunctionSpec> = {},
  settings: Partial<PoolSettings> = {},
  timers: Timers = systemTimers,
): RunningPool {
  const guardian = startGuardian();
  const logs = createLogFeed();
  const surroundings = {
    region: 'us-east-1',
    endpoints: { dynamodb: 'http://127.0.0.1:1', secretsmanager: 'http://127.0.0.1:2' },
  };
  const pool = createFunctionPool(
    aFunction(changes),
    { ...DEFAULT_POOL, ...settings },
    { surroundings, callers: createCallers(), guardian, logs },
    timers,
  );
  return {
    pool,
    logs,
    run: async (event) => returned(await pool.invoke(JSON.stringify(event))),
    async close() {
      await pool.close();
      await guardian.stop();
    },
  };
}

function returned(result: InvocationResult): unknown {
  return result.kind === 'returned' ? JSON.parse(result.payload) : result;
}
