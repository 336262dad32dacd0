import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI_TIMEOUT, type CliRun, runCli } from './cli-process.ts';
import { type ReceiverServer, startReceiver } from './receiver-server.ts';
import { createStateFile, type StateFile } from './state-file.ts';

/* What people and scripts read. A change here is a change for them. */

let receiver: ReceiverServer;
let state: StateFile;
beforeAll(async () => {
  receiver = await startReceiver((nth) =>
    nth === 4 ? { status: 503, headers: { 'retry-after': '0', 'x-oncehook-outcome': 'in-progress' } } : undefined,
  );
  state = createStateFile({ apiUrl: receiver.url });
});
afterAll(async () => {
  state.remove();
  await receiver.close();
});

const run = (...args: readonly string[]) => runCli(args, { env: { ONCEHOOK_STATE_FILE: state.file } });

/** Ports and milliseconds differ from run to run. */
const steady = ({ code, stdout, stderr }: CliRun): string =>
  `${stdout}${stderr}exit code ${code}\n`
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    .replaceAll(/^(\d+ {2}\d{3} .*?)( +\d+)$/gm, (_line, row, ms) => `${row}${'#'.padStart(ms.length)}`)
    .replaceAll(/"durationMs":\d+/g, '"durationMs":0');

const golden = (name: string) => `../../golden/cli/${name}.txt`;

describe('golden output', { timeout: CLI_TIMEOUT }, () => {
  it('of a send', async () => {
    const sent = await run('send', 'stripe', 'invoice.paid', '--id', 'evt_golden', '--times', '3');

    await expect(steady(sent)).toMatchFileSnapshot(golden('send'));
  });

  it('of a send with a repetition', async () => {
    const sent = await run('send', 'stripe', 'invoice.paid', '--id', 'evt_repeated', '--retry', '1');

    await expect(steady(sent)).toMatchFileSnapshot(golden('send-retry'));
  });

  it('of a tampered send', async () => {
    const sent = await run('send', 'github', 'push', '--id', 'delivery-golden', '--tamper');

    await expect(steady(sent)).toMatchFileSnapshot(golden('send-tamper'));
  });

  it('of a send in JSON', async () => {
    const sent = await run('send', 'bazaar', 'slip.credited', '--id', 'msg_golden', '--times', '2', '--json');

    await expect(steady(sent)).toMatchFileSnapshot(golden('send-json'));
  });

  it.each([
    ['help', ['--help']],
    ['help-send', ['send', '--help']],
    ['help-secret', ['secret', '--help']],
    ['help-secret-drop', ['secret', 'drop', '--help']],
  ])('of %s', async (name, args) => {
    const help = await run(...args);

    await expect(steady(help)).toMatchFileSnapshot(golden(name));
  });

  it.each([
    ['no-command', []],
    ['unknown-command', ['sned']],
    ['unknown-option', ['send', 'stripe', 'invoice.paid', '--secret=whsec_0123456789']],
    ['too-many-arguments', ['send', 'stripe', 'invoice.paid', 'whsec_0123456789']],
    ['bad-number', ['send', 'stripe', 'invoice.paid', '--times', 'ten']],
  ])('of misuse: %s', async (name, args) => {
    const misuse = await run(...args);

    expect(misuse).toMatchObject({ code: 1, stdout: '' });
    expect(misuse.stderr).not.toContain('0123456789');
    await expect(steady(misuse)).toMatchFileSnapshot(golden(`misuse-${name}`));
  });
});
