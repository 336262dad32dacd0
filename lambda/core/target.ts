import type { DurationMs } from './time.ts';

/** A place outside that messages of the outbox are posted to. */
export interface Target {
  readonly name: string;
  /** https, and no address or name of a private network. What the name resolves to is looked at when it is called. */
  readonly url: string;
  /** The topics it wants; all when absent. */
  readonly topics: readonly string[] | undefined;
  /** For one request, from the look-up of the name to the status. */
  readonly timeout: DurationMs;
}

/** Under what the signing secrets hold those of a target: no source has a colon in its name. */
export const secretNameOf = (target: string): string => `${SECRET_PREFIX}${target}`;

/** The target whose secrets are meant; `undefined` for a source's. */
export const targetOfSecretName = (name: string): string | undefined =>
  name.startsWith(SECRET_PREFIX) ? name.slice(SECRET_PREFIX.length) : undefined;

const SECRET_PREFIX = 'deliver:';

/** The rule for a source's name too. */
export const isTargetName = (name: string): boolean => /^[a-z0-9-]{1,40}$/.test(name);
