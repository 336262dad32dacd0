import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { watchFunctions } from '../../scripts/build-functions.ts';
import { oneLine } from '../problem.ts';
import type { Guardian } from '../processes/guardian.ts';
import { buildBundles } from './build-bundles.ts';
import { describeSources } from './sources.ts';
import type { BuiltStack, StackSource } from './stack-source.ts';
import { synthesize } from './synthesize.ts';

export interface ProjectStackOptions {
  /** A folder of this run's own. */
  readonly workDirectory: string;
  readonly sourcesFile: string | undefined;
  readonly context: Readonly<Record<string, string>>;
  /** For the first build alone; what is rebuilt on a change is the code as it stands. */
  readonly plugins?: readonly Plugin[] | undefined;
  readonly guardian: Guardian;
}

/** The stack of this project, built from its sources. */
export function createProjectStack({
  workDirectory,
  sourcesFile,
  context,
  plugins,
  guardian,
}: ProjectStackOptions): StackSource {
  const bundles = join(workDirectory, 'bundles');
  let latest: BuiltStack | undefined;

  async function synthesizeAgain(): Promise<BuiltStack> {
    const [template, sources] = await Promise.all([
      synthesize({ outDir: join(workDirectory, 'cdk.out'), bundles, sourcesFile, context }, guardian),
      describeSources(sourcesFile, guardian),
    ]);
    return { template, sources };
  }

  return {
    async build() {
      await buildBundles({ outDir: bundles, sourcesFile, plugins });
      latest = await synthesizeAgain();
      return latest;
    },

    async watch(listener) {
      let running: Promise<void> = Promise.resolve();
      let stopped = false;
      const unchanged = new Set<string>();

      const resynthesize = async (): Promise<void> => {
        if (stopped) return;
        try {
          const built = await synthesizeAgain();
          if (stopped || isSame(built, latest)) return;
          latest = built;
          listener.onStack(built);
        } catch (error) {
          if (!stopped) listener.onFailure(oneLine(error));
        }
      };

      const watching = await watchFunctions({
        outDir: bundles,
        sourcesFile,
        onBuild({ name }) {
          // The first report of each is the build that `build` has made already.
          if (!unchanged.has(name)) {
            unchanged.add(name);
            return;
          }
          listener.onCode(name);
          // New code may declare a table or a source, so the stack is looked at again, behind the code.
          running = running.then(resynthesize);
        },
        onFailure: (problems) => listener.onFailure(`the functions do not build: ${problems.join('; ')}`),
      });
      return async () => {
        stopped = true;
        await watching.stop();
        await running;
      };
    },
  };
}

function isSame(built: BuiltStack, before: BuiltStack | undefined): boolean {
  return before !== undefined && fingerprint(built) === fingerprint(before);
}

const fingerprint = ({ template, sources }: BuiltStack): string =>
  JSON.stringify([template.stackName, [...template.resources], sources]);
