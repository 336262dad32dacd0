import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import type { Guardian } from '../processes/guardian.ts';
import { PROJECT_ROOT } from '../project-root.ts';
import { readTemplate, recordOf, type Template } from '../template/template.ts';
import { reasonIn, runNode } from './run-node.ts';

export interface SynthesisOptions {
  readonly outDir: string;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
  readonly sourcesFile: string | undefined;
  /** Settings on top of `cdk.json`. */
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Runs `bin/app.ts` as the CDK command would and reads the stack it makes. Functions keep
 * pointing at their folder in `bundles` instead of a copy, so that a rebuilt bundle needs no synth.
 *
 * @throws Problem with the program's own reason when it makes none.
 */
export async function synthesize(options: SynthesisOptions, guardian: Guardian): Promise<Template> {
  const cdk = recordOf(JSON.parse(await readFile(join(PROJECT_ROOT, 'cdk.json'), 'utf8')));
  const context = {
    ...recordOf(cdk['context']),
    ...options.context,
    'aws:cdk:enable-asset-metadata': true,
    'aws:cdk:disable-asset-staging': true,
  };
  const run = await runNode(
    ['bin/app.ts'],
    {
      CDK_OUTDIR: options.outDir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      ONCEHOOK_BUNDLES: options.bundles,
      ...(options.sourcesFile !== undefined && { ONCEHOOK_SOURCES: options.sourcesFile }),
    },
    guardian,
  );
  if (!run.succeeded) throw new Problem(`the stack does not build: ${reasonIn(run.errors)}`);
  return readTemplate(options.outDir);
}
