import { OncehookError } from '../core/errors.ts';

/** Reads an environment and gathers what is wrong with it, so that it is reported at once. */
export interface EnvironmentReader {
  /** A text that is not empty. */
  text(name: string): string;
  wholeNumber(name: string, least: number): number;
  /** `true` or `false`. */
  flag(name: string): boolean;
  /** @throws OncehookError `CONFIG_INVALID` naming everything that was wrong. */
  check(): void;
}

export function readEnvironment(env: Readonly<Record<string, string | undefined>>): EnvironmentReader {
  const problems: string[] = [];
  return {
    text(name) {
      const value = env[name] ?? '';
      if (value === '') problems.push(`${name} is not set`);
      return value;
    },
    wholeNumber(name, least) {
      const value = env[name] ?? '';
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (!Number.isSafeInteger(number) || number < least) {
        problems.push(`${name} must be a whole number of at least ${least}, got ${JSON.stringify(value)}`);
      }
      return number;
    },
    flag(name) {
      const value = env[name] ?? '';
      if (value !== 'true' && value !== 'false')
        problems.push(`${name} must be true or false, got ${JSON.stringify(value)}`);
      return value === 'true';
    },
    check() {
      if (problems.length > 0) throw new OncehookError('CONFIG_INVALID', problems.join('; '), { retryable: false });
    },
  };
}
