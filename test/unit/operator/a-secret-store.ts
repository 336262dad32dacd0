import type { SigningSecretStore, StoredValue, WriteEnding } from '../../../lambda/operator/ports.ts';

/** A store in memory. `value` is what it holds; `meanwhile` runs between the read and the write of a change. */
export function aSecretStore(text?: string) {
  let versions = text === undefined ? 0 : 1;
  const store = {
    value: text,
    writes: 0,
    meanwhile: () => {},
    ending: undefined as WriteEnding | undefined,
    async read(): Promise<StoredValue> {
      return versions === 0 ? { kind: 'none' } : { kind: 'value', versionId: String(versions), text: store.value };
    },
    async write(next: string, seen: StoredValue): Promise<WriteEnding> {
      store.meanwhile();
      const before = versions === 0 ? undefined : String(versions);
      store.value = next;
      store.writes += 1;
      versions += 1;
      if (store.ending !== undefined) return store.ending;
      return { kind: before === (seen.kind === 'none' ? undefined : seen.versionId) ? 'stored' : 'raced' };
    },
    /** Somebody else's write. */
    overwrite(next: string): void {
      store.value = next;
      versions += 1;
    },
  };
  return store satisfies SigningSecretStore;
}
