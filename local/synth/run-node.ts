import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Guardian } from '../processes/guardian.ts';
import { PROJECT_ROOT } from '../project-root.ts';

export interface ProgramResult {
  readonly succeeded: boolean;
  readonly output: string;
  /** What it wrote to standard error. */
  readonly errors: string;
}

/** Runs a TypeScript program of the project to its end, in the project's folder. */
export async function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  guardian: Guardian,
): Promise<ProgramResult> {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  guardian.guard(child);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { succeeded: child.exitCode === 0, output, errors };
}

/** The line of a failed program's output that says why: the error's own, or else the last one. */
export function reasonIn(errors: string): string {
  const lines = errors
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const error = lines.find((line) => /^(?:oncehook|\w*(?:Error|Refusal)(?: \[\w+\])?): /.test(line));
  return error ?? lines.at(-1) ?? 'it gave no reason';
}
