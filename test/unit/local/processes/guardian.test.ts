import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const GUARDIAN = join(import.meta.dirname, '../../../../local/processes/guardian.ts');

/** A runner that guards a frozen child which holds `port`'s connection open, and a folder. */
const RUNNER = `
  import { spawn } from 'node:child_process';
  import { startGuardian } from ${JSON.stringify(GUARDIAN)};
  const [, port, folder] = process.argv;
  const guardian = startGuardian();
  const code = 'require("node:net").connect(' + port + ', "127.0.0.1").on("connect", () => process.kill(process.pid, "SIGSTOP"))';
  guardian.guard(spawn(process.execPath, ['-e', code], { detached: true, stdio: 'ignore' }));
  guardian.removeAtEnd(folder);
  setInterval(() => {}, 1000);
`;

async function startRunner(folder: string): Promise<{ runner: ChildProcess; childGone: Promise<unknown> }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const runner = spawn(process.execPath, ['--input-type=module', '-e', RUNNER, '--', String(port), folder], {
    timeout: 30_000,
  });
  const [connection] = await once(server, 'connection');
  server.close();
  // The kernel closes a process's connections when it ends: that is how its end is seen here.
  connection.on('error', () => {});
  connection.resume();
  return { runner, childGone: once(connection, 'close') };
}

describe('the guardian', () => {
  it('kills a frozen child and removes the folder when its runner is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oncehook-test-'));
    const { runner, childGone } = await startRunner(folder);

    runner.kill('SIGKILL');
    await childGone;

    await expect.poll(() => existsSync(folder)).toBe(false);
  });
});
