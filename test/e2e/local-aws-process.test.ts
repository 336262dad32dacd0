import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../local/project-root.ts';
import type { LocalState } from '../../local/state-file.ts';
import { send, stripeDelivery } from './official-senders.ts';

let folder: string;
let stateFile: string;
const runners: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  stateFile = join(folder, 'local.json');
});

afterEach(async () => {
  for (const runner of runners.splice(0)) runner.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

interface Runner {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  printed(): string;
  /** Resolves when `text` has been printed; rejects when the process ends without it. */
  until(text: string): Promise<void>;
}

/** Runs what `npm start` runs. */
function startRunner(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Runner {
  const child = spawn(process.execPath, ['local/main.ts', ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ONCEHOOK_STATE_FILE: stateFile, ...environment },
  });
  runners.push(child);
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  return {
    child,
    printed: () => output,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve();
        };
        listeners.add(look);
        child.once('exit', () => reject(new Error(`it ended and had printed: ${output}`)));
        look();
      }),
  };
}

async function endOf({ child }: Runner): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

const readState = (): LocalState => JSON.parse(readFileSync(stateFile, 'utf8'));

/** Sends one event twice, so that an instance is alive. */
async function sendTwice({ apiUrl, secrets }: LocalState, id: string): Promise<readonly (string | undefined)[]> {
  const delivery = stripeDelivery(secrets['stripe']?.[0] ?? '', id, 'cus_process', 1);
  const first = await send(apiUrl, 'stripe', delivery);
  const second = await send(apiUrl, 'stripe', delivery);
  return [first.outcome, second.outcome];
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Ended, and not yet taken off the list by whoever inherited it. */
  readonly isZombie: boolean;
}

async function listProcesses(): Promise<readonly ProcessRow[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state]) => ({
      pid: Number(pid),
      parent: Number(parent),
      isZombie: state?.startsWith('Z') === true,
    }));
}

async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  return (await listProcesses()).filter(({ parent }) => parent === pid).map((row) => row.pid);
}

async function aliveOf(pids: readonly number[]): Promise<readonly number[]> {
  return (await listProcesses()).filter(({ pid, isZombie }) => pids.includes(pid) && !isZombie).map(({ pid }) => pid);
}

const answers = async (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe('npm start', () => {
  it('prints the webhook URLs and what to try next, and Ctrl-C leaves nothing behind', async () => {
    const runner = startRunner(['--port', '0']);
    await runner.until('Ctrl-C ends it.');
    const state = readState();
    const outcomes = await sendTwice(state, 'evt_1');
    await runner.until('duplicate');
    const children = await childrenOf(runner.child.pid);

    runner.child.kill('SIGINT');
    const status = await endOf(runner);

    expect(runner.printed()).toContain(`${state.apiUrl}/webhooks/stripe`);
    expect(runner.printed()).toContain('npx oncehook send stripe invoice.paid --times 2');
    expect(runner.printed()).toMatch(/receive {2}processed {2,}stripe {2}invoice\.paid {2}evt_1 {2}\d+ ms/);
    expect(outcomes).toEqual(['processed', 'duplicate']);
    expect(status).toBe(0);
    // The guardian, DynamoDB Local, the instance and the bundler.
    expect(children.length).toBeGreaterThanOrEqual(3);
    await expect.poll(() => aliveOf(children)).toEqual([]);
    expect(existsSync(stateFile)).toBe(false);
    for (const url of [state.apiUrl, ...Object.values(state.endpoints)]) expect(await answers(url)).toBe(false);
  });

  it('leaves no process and no port behind when it is killed, and starts again after it', async () => {
    const killed = startRunner(['--port', '0', '--data', join(folder, 'data')]);
    await killed.until('Ctrl-C ends it.');
    const before = readState();
    await sendTwice(before, 'evt_kept');
    const children = await childrenOf(killed.child.pid);

    killed.child.kill('SIGKILL');
    await endOf(killed);
    await expect.poll(() => aliveOf(children), { timeout: 10_000 }).toEqual([]);

    const next = startRunner(['--port', '0', '--data', join(folder, 'data')]);
    await next.until('Ctrl-C ends it.');
    const after = readState();
    expect(await answers(before.endpoints.dynamodb)).toBe(false);
    expect(after.secrets).toEqual(before.secrets);
    expect(await sendTwice(after, 'evt_kept')).toEqual(['duplicate', 'duplicate']);
    next.child.kill('SIGTERM');
    expect(await endOf(next)).toBe(0);
  });

  it.each([
    {
      what: 'without Java',
      args: ['--port', '0'],
      environment: { PATH: '/nowhere', JAVA_HOME: '/nowhere' },
      message:
        /^oncehook: DynamoDB Local needs Java 11 or later, and there is none: .*default-jre-headless.*--dynamodb-endpoint/m,
    },
    {
      what: 'with a DynamoDB that does not answer',
      args: ['--port', '0', '--dynamodb-endpoint', 'http://127.0.0.1:9'],
      environment: {},
      message: /^oncehook: no DynamoDB answers at http:\/\/127\.0\.0\.1:9: start it, or/m,
    },
    {
      what: 'with a setting that is none',
      args: ['--port', '0', '-c', 'receiveTimeoutSeconds=fast'],
      environment: {},
      message: /^oncehook: the stack does not build: .*receiveTimeoutSeconds/m,
    },
    {
      what: 'with sources that are not there',
      args: ['--port', '0', '--sources', '/nowhere/sources.ts'],
      environment: {},
      message: /^oncehook: .*\/nowhere\/sources\.ts/m,
    },
  ])('$what says in one line what to do', async ({ args, environment, message }) => {
    const runner = startRunner(args, environment);

    const status = await endOf(runner);

    expect(status).toBe(1);
    expect(runner.printed()).toMatch(message);
    expect(runner.printed()).not.toMatch(/^\s+at /m);
    expect(existsSync(stateFile)).toBe(false);
  });
});
