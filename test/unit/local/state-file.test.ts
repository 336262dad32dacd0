import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listenOnLoopback } from '../../../local/http/loopback-server.ts';
import { refuseSecondRunner, removeStateFile, writeStateFile } from '../../../local/state-file.ts';

const aState = (changes: { readonly pid?: number; readonly apiUrl?: string } = {}) => ({
  apiUrl: 'http://127.0.0.1:3000',
  consoleUrl: undefined,
  region: 'us-east-1',
  credentials: { accessKeyId: 'LOCAL1', secretAccessKey: 's' },
  endpoints: {
    dynamodb: 'http://127.0.0.1:1',
    sqs: 'http://127.0.0.1:3',
    s3: 'http://127.0.0.1:3',
    secretsmanager: 'http://127.0.0.1:2',
    cloudformation: 'http://127.0.0.1:4',
    logs: 'http://127.0.0.1:5',
    monitoring: 'http://127.0.0.1:6',
    lambda: 'http://127.0.0.1:7',
  },
  stackName: 'Oncehook-dev',
  tables: { inbox: 'Oncehook-dev-Inbox' },
  queues: {},
  buckets: {},
  secrets: { stripe: ['whsec_1'] },
  signingSecretId: 'signing-secret',
  pid: process.pid,
  ...changes,
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oncehook-test-'));
  file = join(folder, '.oncehook/local.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that lives until it is killed, and a server that answers for it. */
async function otherRunner() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  return {
    state: aState({ pid: child.pid ?? 0, apiUrl: `http://127.0.0.1:${port}` }),
    closePort: () => closeServer(server),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await closeServer(server);
    },
  };
}

describe('the state file', () => {
  it('can be read by its owner only, and goes with its runner', () => {
    writeStateFile(file, aState());
    const mode = statSync(file).mode & 0o777;

    removeStateFile(file);

    expect(mode).toBe(0o600);
    expect(existsSync(file)).toBe(false);
  });

  it('of another runner is left alone', () => {
    writeStateFile(file, aState({ pid: 1 }));

    removeStateFile(file);

    expect(existsSync(file)).toBe(true);
  });

  it('of a runner that is alive keeps a second one from starting', async () => {
    const other = await otherRunner();
    writeStateFile(file, other.state);

    const refused = refuseSecondRunner(file);

    await expect(refused).rejects.toThrow(
      `local AWS runs already at ${other.state.apiUrl} (process ${other.state.pid})`,
    );
    await other.kill();
  });

  it('of a runner that is dead, or whose number is another process now, is no obstacle', async () => {
    const other = await otherRunner();
    writeStateFile(file, other.state);

    await other.closePort();
    await expect(refuseSecondRunner(file)).resolves.toBeUndefined();
    await other.kill();
    await expect(refuseSecondRunner(file)).resolves.toBeUndefined();
  });

  it('that is not there is no obstacle', async () => {
    await expect(refuseSecondRunner(file)).resolves.toBeUndefined();
  });
});
