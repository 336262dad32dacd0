import type { SigningSecretStore } from './ports.ts';
import { requireList } from './secret/change-secrets.ts';
import { decodeSecretLists, secretsOf } from './secret/secret-lists.ts';

/**
 * The secrets of a source, the current first; what prints them masks them.
 *
 * @throws Refusal when they cannot be read.
 */
export async function readSecrets(store: SigningSecretStore, source: string): Promise<readonly string[]> {
  return requireList(secretsOf(decodeSecretLists(await store.read()), source), source);
}
