import { fileURLToPath } from 'node:url';
import type { SecretFormat } from '../../lambda/providers/scheme.ts';
import { Problem } from '../problem.ts';
import type { Guardian } from '../processes/guardian.ts';
import { reasonIn, runNode } from './run-node.ts';

/** What local AWS has to know of a source. */
export interface SourceDescription {
  readonly name: string;
  /** The preset's name. */
  readonly provider: string;
  readonly secret: SecretFormat;
  /** Event types that have a handler. */
  readonly types: readonly string[];
}

const PROGRAM = fileURLToPath(new URL('print-sources.ts', import.meta.url));

/**
 * Reads the sources in a process of its own, so that a changed module is read anew.
 *
 * @throws Problem with the module's own reason when it cannot be read.
 */
export async function describeSources(
  sourcesFile: string | undefined,
  guardian: Guardian,
): Promise<readonly SourceDescription[]> {
  const run = await runNode([PROGRAM, ...(sourcesFile === undefined ? [] : [sourcesFile])], {}, guardian);
  if (!run.succeeded) throw new Problem(`the sources cannot be read: ${reasonIn(run.errors)}`);
  return JSON.parse(run.output);
}
