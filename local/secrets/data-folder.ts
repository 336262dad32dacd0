import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../local-aws.ts';
import { Problem } from '../problem.ts';
import type { StoredSecret } from './secret-store.ts';

/**
 * What is kept between runs beside the tables: the secrets, and the credentials, because
 * DynamoDB Local keeps a database of its own for each access key.
 */
export interface KeptState {
  readonly credentials: Credentials;
  readonly secrets: readonly StoredSecret[];
}

const FILE = 'local-aws.json';

/** Credentials that are nobody's in AWS and cannot be guessed here. */
export const generateCredentials = (): Credentials => ({
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(20).toString('hex'),
});

/**
 * Opens a folder made by an earlier run, or makes it.
 *
 * @throws Problem when what is in it cannot be read.
 */
export function openDataFolder(directory: string): KeptState {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  let content: string;
  try {
    content = readFileSync(join(directory, FILE), 'utf8');
  } catch {
    const fresh: KeptState = { credentials: generateCredentials(), secrets: [] };
    saveDataFolder(directory, fresh);
    return fresh;
  }
  try {
    return JSON.parse(content);
  } catch {
    throw new Problem(
      `${join(directory, FILE)} cannot be read: remove ${directory}, or choose another with --data DIR`,
    );
  }
}

/** Written beside and renamed, so that a crash leaves the old state or the new one. Mode 0600. */
export function saveDataFolder(directory: string, state: KeptState): void {
  const file = join(directory, FILE);
  writeFileSync(`${file}.new`, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
