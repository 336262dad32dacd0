import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFunctionPool, type FunctionPool, type PoolSettings } from './function-pool.ts';
import type { FunctionSpec } from './function-spec.ts';
import type { InstanceDeps, InstanceView } from './instance.ts';
import type { InvocationResult } from './invocation.ts';

/** Every function of the stack, each with its pool of instances. */
export interface FunctionFleet {
  invoke(functionName: string, payload: string): Promise<InvocationResult>;
  /** The same by the function's key, such as `receive`. */
  invokeByKey(functionKey: string, payload: string): Promise<InvocationResult>;
  instances(): readonly InstanceView[];
  killInstances(functionKey?: string): Promise<number>;
  /** Takes the functions of a changed stack; instances of the code before finish and end. */
  deploy(specs: readonly FunctionSpec[]): Promise<void>;
  /** Takes the bundle that is in the function's folder now; tells whether it is another than before. */
  redeploy(functionKey: string): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * @param codeDirectory gets a copy of each bundle for each deploy, so that an instance which
 * starts during the next build never reads half a file
 */
export function createFunctionFleet(
  codeDirectory: string,
  settings: PoolSettings,
  deps: Omit<InstanceDeps, 'spec' | 'events'>,
): FunctionFleet {
  const deployed = new Map<
    string,
    { readonly spec: FunctionSpec; readonly pool: FunctionPool; readonly copy: string }
  >();
  let deploys = 0;

  async function deployOne(spec: FunctionSpec): Promise<void> {
    deploys += 1;
    const copy = join(codeDirectory, `${spec.key}-${deploys}`);
    await cp(spec.codeDirectory, copy, { recursive: true });
    const running = { ...spec, codeDirectory: copy };
    const before = deployed.get(spec.name);
    const pool = before?.pool ?? createFunctionPool(running, settings, deps);
    deployed.set(spec.name, { spec, pool, copy });
    pool.replace(running);
  }

  const pools = (functionKey?: string): readonly FunctionPool[] =>
    [...deployed.values()]
      .filter(({ spec }) => functionKey === undefined || spec.key === functionKey)
      .map(({ pool }) => pool);

  return {
    invoke(functionName, payload) {
      const found = deployed.get(functionName);
      return found?.pool.invoke(payload) ?? Promise.resolve(unknownFunction(functionName));
    },
    invokeByKey(functionKey, payload) {
      const [pool] = pools(functionKey);
      return pool?.invoke(payload) ?? Promise.resolve(unknownFunction(functionKey));
    },
    instances: () => pools().flatMap((pool) => pool.instances()),
    async killInstances(functionKey) {
      const counts = await Promise.all(pools(functionKey).map((pool) => pool.killInstances()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async deploy(specs) {
      for (const [name, { pool, copy }] of deployed) {
        if (specs.some((spec) => spec.name === name)) continue;
        deployed.delete(name);
        await pool.close();
        await rm(copy, { recursive: true, force: true });
      }
      for (const spec of specs) await deployOne(spec);
    },
    async redeploy(functionKey) {
      let changed = false;
      for (const { spec, copy } of deployed.values()) {
        if (spec.key !== functionKey || (await isSameFolder(spec.codeDirectory, copy))) continue;
        await deployOne(spec);
        changed = true;
      }
      return changed;
    },
    async close() {
      await Promise.all(pools().map((pool) => pool.close()));
    },
  };
}

const unknownFunction = (name: string): InvocationResult => ({
  kind: 'failed',
  reason: `there is no function ${name}`,
});

/** Whether two folders without folders in them hold the same files. */
async function isSameFolder(one: string, other: string): Promise<boolean> {
  const names = await readdir(one);
  if ((await readdir(other)).length !== names.length) return false;
  const same = await Promise.all(
    names.map(async (name) => (await readFile(join(one, name))).equals(await readFile(join(other, name)))),
  );
  return !same.includes(false);
}
