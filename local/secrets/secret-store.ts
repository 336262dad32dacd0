import { randomUUID } from 'node:crypto';

/** One version of a secret, with the labels that point at it. */
export interface SecretVersion {
  readonly versionId: string;
  readonly value: string;
  readonly createdAtMs: number;
  readonly stages: readonly string[];
}

/** A secret and its versions, newest first; versions without a label are forgotten. */
export interface StoredSecret {
  readonly name: string;
  readonly arn: string;
  readonly versions: readonly SecretVersion[];
}

export const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

/** The secrets of one local AWS, in memory; whoever keeps them saves {@link SecretStore.all} on a change. */
export interface SecretStore {
  /** By name or ARN. */
  find(id: string): StoredSecret | undefined;
  /** Makes a secret without a value, or leaves one that is there as it is. */
  create(name: string, arn: string): void;
  /** The new value becomes `AWSCURRENT`, and what was that becomes `AWSPREVIOUS`. */
  put(id: string, value: string, versionId?: string): SecretVersion | undefined;
  all(): readonly StoredSecret[];
  /** `listener` is called after each change, before its caller has the answer. */
  onChange(listener: () => void): void;
}

export function createSecretStore(initial: readonly StoredSecret[] = []): SecretStore {
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const secrets = new Map(initial.map((secret) => [secret.name, secret]));

  const find = (id: string) => [...secrets.values()].find(({ name, arn }) => id === name || id === arn);

  return {
    find,
    create(name, arn) {
      if (secrets.has(name)) return;
      secrets.set(name, { name, arn, versions: [] });
      changed();
    },
    put(id, value, versionId = randomUUID()) {
      const secret = find(id);
      if (secret === undefined) return undefined;
      const version: SecretVersion = { versionId, value, createdAtMs: Date.now(), stages: [CURRENT] };
      const before = secret.versions.find(({ stages }) => stages.includes(CURRENT));
      secrets.set(secret.name, {
        ...secret,
        versions: before === undefined ? [version] : [version, { ...before, stages: [PREVIOUS] }],
      });
      changed();
      return version;
    },
    all: () => [...secrets.values()],
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
