import type { SourceDescription } from '../synth/sources.ts';
import { recordOf } from '../template/template.ts';
import { generateSecret } from './generate-secret.ts';
import { CURRENT, type SecretStore } from './secret-store.ts';

/** Signing secrets by source: the current one, and the one before it if there is one. */
export type SigningSecrets = Readonly<Record<string, readonly string[]>>;

/** The signing secrets as the secret's value has them now. */
export function readSigningSecrets(store: SecretStore, secretId: string): SigningSecrets {
  const current = store.find(secretId)?.versions.find(({ stages }) => stages.includes(CURRENT));
  const value = current === undefined ? {} : recordOf(JSON.parse(current.value));
  return Object.fromEntries(
    Object.entries(value).map(([source, list]) => [source, Array.isArray(list) ? list.map(String) : []]),
  );
}

/** Gives each source that has none a generated secret, and leaves the others as they are. */
export function seedSigningSecrets(store: SecretStore, secretId: string, sources: readonly SourceDescription[]): void {
  const existing = readSigningSecrets(store, secretId);
  const missing = sources.filter(({ name }) => existing[name] === undefined);
  if (missing.length === 0) return;
  const generated = Object.fromEntries(missing.map((source) => [source.name, [generateSecret(source)]]));
  store.put(secretId, JSON.stringify({ ...existing, ...generated }));
}
