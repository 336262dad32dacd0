import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { LocalAws } from './local-aws.ts';
import { Problem } from './problem.ts';
import { PROJECT_ROOT } from './project-root.ts';

/** Where the CLI looks for the running local AWS, unless `ONCEHOOK_STATE_FILE` names another place. */
export const STATE_FILE = process.env['ONCEHOOK_STATE_FILE'] ?? join(PROJECT_ROOT, '.oncehook/local.json');

/** Which local AWS runs here and how to reach it. */
export type LocalState = Pick<
  LocalAws,
  | 'apiUrl'
  | 'consoleUrl'
  | 'region'
  | 'credentials'
  | 'endpoints'
  | 'stackName'
  | 'tables'
  | 'queues'
  | 'buckets'
  | 'secrets'
  | 'signingSecretId'
> & {
  /** Of the process that started it. */
  readonly pid: number;
};

/** What the state file says of a local AWS that this process runs. */
export const stateOf = (aws: LocalAws): LocalState => ({
  apiUrl: aws.apiUrl,
  consoleUrl: aws.consoleUrl,
  region: aws.region,
  credentials: aws.credentials,
  endpoints: aws.endpoints,
  stackName: aws.stackName,
  tables: aws.tables,
  queues: aws.queues,
  buckets: aws.buckets,
  secrets: aws.secrets,
  signingSecretId: aws.signingSecretId,
  pid: process.pid,
});

/** Writes it whole or not at all, readable by its owner only. */
export function writeStateFile(file: string, state: LocalState): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Removes it, unless it is another process's by now. */
export function removeStateFile(file: string): void {
  if (readState(file)?.pid === process.pid) rmSync(file, { force: true });
}

/**
 * Makes sure that no other local AWS is on this state file. One left by a process that is gone
 * is no obstacle.
 *
 * @throws Problem naming the running one.
 */
export async function refuseSecondRunner(file: string): Promise<void> {
  const state = readState(file);
  if (state === undefined || state.pid === process.pid || !isAlive(state.pid)) return;
  // The process number may be somebody else's by now, so it must also serve the URL it says.
  if (!(await answers(state.apiUrl))) return;
  throw new Problem(
    `local AWS runs already at ${state.apiUrl} (process ${state.pid}): use it, or end it with Ctrl-C or kill ${state.pid}`,
  );
}

function readState(file: string): { readonly pid: number; readonly apiUrl: string } | undefined {
  try {
    const { pid, apiUrl } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && typeof apiUrl === 'string' ? { pid, apiUrl } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(1000, () => end(false));
  });
}
