import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGuardian } from '../../local/processes/guardian.ts';
import { PROJECT_ROOT } from '../../local/project-root.ts';
import type { LocalState } from '../../local/state-file.ts';
import { childrenOf, type ProcessRow, remainingOf } from '../support/process-list.ts';
import { type Gate, startGate } from './gate.ts';
import { send, standardDelivery, stripeDelivery } from './official-senders.ts';

let folder: string;
let stateFile: string;
const runners: ChildProcess[] = [];

// A runner has a process group of its own, as in a terminal, and so would outlive the tests' end by Ctrl-C.
const guardian = startGuardian();
afterAll(() => guardian.stop());

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
    detached: true,
    env: { ...process.env, ONCEHOOK_STATE_FILE: stateFile, TMPDIR: folder, ...environment },
  });
  guardian.guard(child);
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

/** Signals the runner's whole process group, as the terminal does. */
function pressCtrlC({ child }: Runner): void {
  process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
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

const pidsOf = (rows: readonly ProcessRow[]): readonly number[] => rows.map(({ pid }) => pid);
const frozenOf = (rows: readonly ProcessRow[]): readonly ProcessRow[] => rows.filter(({ state }) => state === 'frozen');
const guardianIn = (rows: readonly ProcessRow[]) => rows.find(({ command }) => command.includes('guardian-process'));

/** Waits until one of the runner's instances is frozen, and returns all its children. */
async function childrenWithFrozen({ child }: Runner): Promise<readonly ProcessRow[]> {
  let children: readonly ProcessRow[] = [];
  await expect
    .poll(async () => {
      children = await childrenOf(child.pid);
      return frozenOf(children).length;
    })
    .toBeGreaterThan(0);
  return children;
}

async function hasChildren({ child }: Runner, programs: readonly string[]): Promise<boolean> {
  const children = await childrenOf(child.pid);
  return programs.every((program) => children.some(({ command }) => command.includes(program)));
}

/** What runs in a folder of its own, and is removed at the end. */
const workFolders = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('oncehook-'));

const answers = async (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** The event of one source is applied at once, that of the other waits at the gate. */
const sourcesModule = (gate: string) => `
  import { defineSources, standardWebhooks, stripe } from ${JSON.stringify(join(PROJECT_ROOT, 'lambda/oncehook.ts'))};

  export const sources = defineSources({
    stripe: { provider: stripe(), on: { 'invoice.paid': async () => ({}) } },
    slow: { provider: standardWebhooks(), on: { 'thing.done': async () => { await fetch(${JSON.stringify(gate)}); } } },
  });
`;

/** Sends an event whose handler waits at the gate; resolves with the status, or `cut` when there is no answer. */
function sendSlow({ apiUrl, secrets }: LocalState, id: string): Promise<number | 'cut'> {
  return send(apiUrl, 'slow', standardDelivery(secrets['slow']?.[0] ?? '', id, 'thing.done', {})).then(
    ({ status }) => status,
    () => 'cut',
  );
}

describe('npm start', () => {
  it('prints the webhook URLs and what to try next, and Ctrl-C leaves nothing behind', async () => {
    const runner = startRunner(['--port', '0']);
    await runner.until('Ctrl-C ends it.');
    const state = readState();
    const outcomes = await sendTwice(state, 'evt_1');
    await runner.until('duplicate');
    const children = await childrenWithFrozen(runner);

    pressCtrlC(runner);
    const status = await endOf(runner);

    expect(runner.printed()).toContain(`${state.apiUrl}/webhooks/stripe`);
    expect(runner.printed()).toContain('npx oncehook send stripe invoice.paid --times 2');
    expect(runner.printed()).toMatch(/receive {2}processed {2,}stripe {2}invoice\.paid {2}evt_1 {2}\d+ ms/);
    expect(outcomes).toEqual(['processed', 'duplicate']);
    expect(status).toBe(0);
    // The guardian, DynamoDB Local, the instance and the bundler.
    expect(children.length).toBeGreaterThanOrEqual(3);
    await expect.poll(() => remainingOf(pidsOf(children)), { timeout: 30_000 }).toEqual([]);
    expect(existsSync(stateFile)).toBe(false);
    expect(workFolders()).toEqual([]);
    for (const url of [state.apiUrl, ...Object.values(state.endpoints)]) expect(await answers(url)).toBe(false);
  });

  describe('with an instance frozen and another in its handler', () => {
    let gate: Gate;
    beforeEach(async () => {
      gate = await startGate();
      await writeFile(join(folder, 'sources.ts'), sourcesModule(gate.url));
    });
    afterEach(() => gate.close());

    const start = () =>
      startRunner(['--port', '0', '--data', join(folder, 'data'), '--sources', join(folder, 'sources.ts')]);

    it('leaves no process and no port behind when it is killed, nor by Ctrl-C without its guardian', async () => {
      const killed = start();
      await killed.until('Ctrl-C ends it.');
      const before = readState();
      const unanswered = sendSlow(before, 'msg_killed');
      await gate.arrival();
      await sendTwice(before, 'evt_kept');
      const children = await childrenWithFrozen(killed);

      killed.child.kill('SIGKILL');
      await endOf(killed);

      await expect.poll(() => remainingOf(pidsOf(children)), { timeout: 30_000 }).toEqual([]);
      await expect.poll(workFolders).toEqual([]);
      expect(await unanswered).toBe('cut');
      for (const url of [before.apiUrl, ...Object.values(before.endpoints)]) expect(await answers(url)).toBe(false);

      const next = start();
      await next.until('Ctrl-C ends it.');
      const after = readState();
      const crashed = sendSlow(after, 'msg_stopped');
      await gate.arrival(2);
      const outcomes = await sendTwice(after, 'evt_kept');
      const others = await childrenWithFrozen(next);
      process.kill(guardianIn(others)?.pid ?? Number.NaN, 'SIGKILL');
      pressCtrlC(next);

      expect(await endOf(next)).toBe(0);
      expect(after.secrets).toEqual(before.secrets);
      expect(outcomes).toEqual(['duplicate', 'duplicate']);
      expect(await crashed).toBeOneOf([500, 'cut']);
      await expect.poll(() => remainingOf(pidsOf(others)), { timeout: 30_000 }).toEqual([]);
      expect(workFolders()).toEqual([]);
      expect(existsSync(stateFile)).toBe(false);
      for (const url of [after.apiUrl, ...Object.values(after.endpoints)]) expect(await answers(url)).toBe(false);
    });
  });

  it.each([
    {
      moment: 'when it has only begun',
      come: (runner: Runner) => runner.until('building'),
    },
    {
      moment: 'while DynamoDB starts and the stack is synthesized',
      come: (runner: Runner) =>
        expect
          .poll(() => hasChildren(runner, ['DynamoDBLocal.jar', 'bin/app.ts']), { timeout: 30_000, interval: 20 })
          .toBe(true),
    },
    {
      moment: 'when it has just said where it is',
      come: () => expect.poll(() => existsSync(stateFile), { timeout: 60_000, interval: 5 }).toBe(true),
    },
  ])('leaves nothing behind by Ctrl-C $moment', async ({ come }) => {
    const runner = startRunner(['--port', '0']);
    await come(runner);
    const children = await childrenOf(runner.child.pid);

    pressCtrlC(runner);
    const status = await endOf(runner);

    expect(status).toBe(0);
    expect(guardianIn(children)).toBeDefined();
    await expect.poll(() => remainingOf(pidsOf(children)), { timeout: 30_000 }).toEqual([]);
    await expect.poll(workFolders).toEqual([]);
    expect(existsSync(stateFile)).toBe(false);
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
