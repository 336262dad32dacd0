import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../support/three-sources.ts', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../../bin/oncehook.ts', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run is a process; a busy machine starts one in seconds. */
export const CLI_TIMEOUT = 30_000;

/** Runs the real program as a process, with no more environment than the test gives. */
export async function runCli(
  args: readonly string[],
  {
    stdin = '',
    env = {},
  }: { readonly stdin?: string | Uint8Array; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CliRun> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: {
      PATH: process.env['PATH'],
      ONCEHOOK_SOURCES: SOURCES,
      AWS_EC2_METADATA_DISABLED: 'true',
      HOME: '/nonexistent',
      ...env,
    },
  });
  // A program that refuses early does not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
