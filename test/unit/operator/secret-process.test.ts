import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretStore, type SecretStore } from '../../../local/secrets/secret-store.ts';
import { type SecretsServer, startSecretsServer } from '../../../local/secrets/secrets-server.ts';
import { CLI_TIMEOUT, type CliRun, runCli } from './cli-process.ts';
import { createStateFile, type StateFile } from './state-file.ts';

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:signing-local1';
const FIRST = 'whsec_first_abcdefghijklmnopqrstuvwxyz';
const SECOND = 'whsec_second_abcdefghijklmnopqrstuvwxyz';

let store: SecretStore;
let server: SecretsServer;
let state: StateFile;
beforeEach(async () => {
  store = createSecretStore();
  store.create('signing', ARN);
  server = await startSecretsServer(store, 'LOCAL1');
  state = createStateFile({ secretsManagerUrl: server.url, signingSecretId: ARN });
});
afterEach(async () => {
  state.remove();
  await server.close();
});

const secret = (args: readonly string[], stdin: string | Uint8Array = '', env: Readonly<Record<string, string>> = {}) =>
  runCli(['secret', ...args], { stdin, env: { ONCEHOOK_STATE_FILE: state.file, ...env } });
const stored = (): unknown => JSON.parse(store.find(ARN)?.versions[0]?.value ?? 'null');
const shown = ({ stdout, stderr }: CliRun): string => stdout + stderr;

describe('oncehook secret, as a process', { timeout: CLI_TIMEOUT }, () => {
  it('stores the first secret of a secret without a value, less one line break', async () => {
    const run = await secret(['set', 'stripe'], `${FIRST}\n`);

    expect(run.code).toBe(0);
    expect(stored()).toEqual({ stripe: [FIRST] });
    expect(run.stderr).toBe(`in local AWS (${server.url})\n`);
    expect(shown(run)).not.toContain(FIRST.slice(0, 12));
  });

  it('rotates: add, show, drop', async () => {
    await secret(['set', 'stripe'], FIRST);

    const added = await secret(['add', 'stripe'], SECOND);
    const both = stored();
    const seen = await secret(['show', 'stripe']);
    const dropped = await secret(['drop', 'stripe']);

    expect([added.code, seen.code, dropped.code]).toEqual([0, 0, 0]);
    expect(both).toEqual({ stripe: [SECOND, FIRST] });
    expect(stored()).toEqual({ stripe: [SECOND] });
    expect(seen.stdout).toBe(readFileSync(new URL('../../golden/cli/secret-show.txt', import.meta.url), 'utf8'));
    expect(shown(seen)).not.toMatch(/first|second/);
  });

  it('refuses a secret on the command line without repeating it, and stores nothing', async () => {
    const runs = [
      await secret(['set', 'stripe', FIRST], SECOND),
      await secret(['set', FIRST], SECOND),
      await secret(['add', 'stripe', `--value=${FIRST}`], SECOND),
      await secret([FIRST]),
      await secret(['drop', FIRST]),
      await secret(['show', FIRST]),
    ];

    expect(runs.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(runs.map(shown).join('')).not.toContain(FIRST);
    expect(runs[0]?.stderr).toMatch(/^oncehook: a secret is never an argument: it would be visible/);
    expect(stored()).toBeNull();
  });

  it('uses the AWS credentials and Region of the environment for a secret by name', async () => {
    const env = {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
      AWS_ACCESS_KEY_ID: 'LOCAL1',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_REGION: 'eu-west-1',
      ONCEHOOK_STATE_FILE: join(state.folder, 'absent.json'),
    };

    const run = await secret(['set', 'stripe', '--secret-id', 'signing'], FIRST, env);

    expect(run).toMatchObject({ code: 0, stderr: 'in AWS: signing\n' });
    expect(stored()).toEqual({ stripe: [FIRST] });
  });

  it('says that there are no credentials, or no Region', async () => {
    const noCredentials = await secret(['show', 'stripe', '--secret-id', ARN]);
    const noRegion = await secret(['show', 'stripe', '--secret-id', 'signing']);

    expect(noCredentials).toEqual({
      code: 1,
      stdout: '',
      stderr: `in AWS: ${ARN} (us-east-1)\noncehook: no usable AWS credentials: sign in, or set AWS_PROFILE, as for the aws command\n`,
    });
    expect(noRegion.stderr).toBe('in AWS: signing\noncehook: no AWS Region: add --region, or set AWS_REGION\n');
  });

  it('says that local AWS has ended', async () => {
    await server.close();

    const run = await secret(['show', 'stripe']);

    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/\noncehook: local AWS does not answer any more: start it again with npm start\n$/);
  });
});
