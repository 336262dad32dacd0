import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRETS } from './receiver-server.ts';

/** A folder of a test's own with a state file in it, as a running local AWS would leave it. */
export function createStateFile(state: {
  readonly apiUrl?: string;
  readonly secretsManagerUrl?: string;
  readonly signingSecretId?: string;
}) {
  const folder = mkdtempSync(join(tmpdir(), 'oncehook-test-'));
  const file = join(folder, 'local.json');
  const { apiUrl = 'http://127.0.0.1:1', secretsManagerUrl = 'http://127.0.0.1:1', signingSecretId } = state;
  const content = {
    apiUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'LOCAL1', secretAccessKey: 'local' },
    endpoints: { dynamodb: 'http://127.0.0.1:1', secretsmanager: secretsManagerUrl },
    signingSecretId,
    secrets: Object.fromEntries(Object.entries(SECRETS).map(([source, secret]) => [source, [secret]])),
  };
  writeFileSync(file, JSON.stringify(content));
  return { folder, file, content, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export type StateFile = ReturnType<typeof createStateFile>;
