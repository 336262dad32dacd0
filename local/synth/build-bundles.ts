import { type BuildFunctionsOptions, buildFunctions } from '../../scripts/build-functions.ts';
import { oneLine, Problem } from '../problem.ts';

/**
 * Builds the functions with the code that builds them for a deploy.
 *
 * @throws Problem with the place and the text of the first error.
 */
export async function buildBundles(options: BuildFunctionsOptions): Promise<void> {
  try {
    await buildFunctions(options);
  } catch (error) {
    throw new Problem(`the functions do not build: ${buildErrorOf(error)}`);
  }
}

/** esbuild's first error as `file:line:column: text`, or the message of anything else. */
function buildErrorOf(error: unknown): string {
  const [first] = error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  if (first === undefined) return oneLine(error);
  const { location, text } = first;
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : String(text);
}
