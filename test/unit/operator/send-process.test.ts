import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../../../local/http/loopback-server.ts';
import { CLI_TIMEOUT, runCli } from './cli-process.ts';
import { type ReceiverServer, SECRETS, startReceiver } from './receiver-server.ts';
import { createStateFile, type StateFile } from './state-file.ts';

let receiver: ReceiverServer;
let state: StateFile;
beforeAll(async () => {
  receiver = await startReceiver();
  state = createStateFile({ apiUrl: receiver.url });
});
afterAll(async () => {
  state.remove();
  await receiver.close();
});

const send = (...args: readonly string[]) => runCli(['send', ...args], { env: { ONCEHOOK_STATE_FILE: state.file } });
const PROGRAM = new URL('../../../bin/oncehook.ts', import.meta.url);

describe('oncehook send, as a process', { timeout: CLI_TIMEOUT }, () => {
  it('is a program of its own', () => {
    const mode = statSync(PROGRAM).mode;

    expect(mode & 0o111).toBe(0o111);
  });

  it('sends ten copies at once, of which one is processed and nine are duplicates', async () => {
    const run = await send('stripe', 'invoice.paid', '--times', '10', '--concurrency', '10');

    const lines = run.stdout.trimEnd().split('\n');
    const eventId = /^event (evt_[0-9a-f]{24}) to /.exec(lines[0] ?? '')?.[1] ?? 'none';
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(lines.at(-1)).toBe('10 answers: 1 processed, 9 duplicate');
    expect(lines.filter((line) => line.includes(`  ${eventId}  `))).toHaveLength(10);
  });

  it.each([
    ['stripe', 'invoice.paid'],
    ['github', 'push'],
    ['github', 'ping'],
    ['github', 'issues.opened'],
    ['bazaar', 'slip.credited'],
    ['bazaar', 'account.updated'],
    ['bazaar', 'stall.closed'],
  ])('signs a sample of %s %s so that the official SDK accepts it', async (source, type) => {
    const run = await send(source, type, '--json');

    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout.split('\n')[0] ?? '')).toMatchObject({ status: 200, outcome: 'processed' });
  });

  it.each(Object.keys(SECRETS))(
    'is refused by the receiver of %s when a byte is changed after signing',
    async (source) => {
      const type = { stripe: 'invoice.paid', github: 'push', bazaar: 'slip.credited' }[source] ?? '';

      const run = await send(source, type, '--tamper', '--times', '2');

      expect(run.code).toBe(0);
      expect(run.stdout).toContain('2 answers: 2 unauthenticated');
    },
  );

  it('sends the bytes of standard input as they are', async () => {
    const body = '{ "id":"evt_mine",\t"type":"invoice.paid" , "big": 12345678901234567890 }\r\n';

    const run = await runCli(['send', 'stripe', 'invoice.paid', '--file', '-'], {
      stdin: body,
      env: { ONCEHOOK_STATE_FILE: state.file },
    });

    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(receiver.deliveries.at(-1)?.body.toString()).toBe(body);
    expect(run.stdout).toMatch(/^event evt_mine to /);
  });

  it('says to start local AWS when nothing runs', async () => {
    const run = await runCli(['send', 'stripe', 'invoice.paid'], {
      env: { ONCEHOOK_STATE_FILE: join(state.folder, 'absent.json') },
    });

    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr: 'oncehook: nothing runs here: start it with npm start, or name another receiver with --url URL\n',
    });
  });

  it('says in one line that nothing listens any more', async () => {
    const server = createServer();
    const gone = createStateFile({ apiUrl: `http://127.0.0.1:${await portOfClosed(server)}` });

    const run = await runCli(['send', 'stripe', 'invoice.paid', '--times', '5', '--concurrency', '5'], {
      env: { ONCEHOOK_STATE_FILE: gone.file },
    });

    gone.remove();
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /^oncehook: 127\.0\.0\.1:\d+ refuses the connection: nothing listens there; start local AWS with npm start\n$/,
    );
  });

  it('sends to another receiver with a secret from standard input', async () => {
    const run = await runCli(
      ['send', 'stripe', 'invoice.paid', '--url', `${receiver.url}/webhooks/stripe`, '--secret-stdin'],
      { stdin: `${SECRETS.stripe}\n`, env: { ONCEHOOK_STATE_FILE: join(state.folder, 'absent.json') } },
    );

    expect(run).toMatchObject({ code: 0, stderr: '' });
  });

  it('reads the sources from the module that is named', async () => {
    const file = join(state.folder, 'sources.ts');
    const oncehook = new URL('../../../lambda/oncehook.ts', import.meta.url).href;
    writeFileSync(
      file,
      `import { defineSources, stripe } from '${oncehook}';
       export const sources = defineSources({ till: { provider: stripe(), on: { 'invoice.paid': async () => undefined } } });`,
    );

    const run = await runCli(['send', 'stripe', 'invoice.paid'], {
      env: { ONCEHOOK_STATE_FILE: state.file, ONCEHOOK_SOURCES: file },
    });

    expect(run).toMatchObject({ code: 1, stderr: 'oncehook: no such source: there is only till\n' });
  });

  it('says what is wrong with a sources module, without a stack trace', async () => {
    const file = join(state.folder, 'broken.ts');
    writeFileSync(file, 'throw new Error("half\\nwritten");');

    const run = await runCli(['send', 'stripe', 'invoice.paid'], { env: { ONCEHOOK_SOURCES: file } });

    expect(run).toEqual({ code: 1, stdout: '', stderr: `oncehook: ${file} cannot be loaded: half written\n` });
  });
});

async function portOfClosed(server: ReturnType<typeof createServer>): Promise<number> {
  const port = await listenOnLoopback(server as never, 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
