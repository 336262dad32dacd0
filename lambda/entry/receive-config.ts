import { ENV } from '../contract.ts';
import type { DedupWindow } from '../core/dedup-window.ts';
import { OncehookError } from '../core/errors.ts';
import { type DurationMs, milliseconds, seconds } from '../core/time.ts';

/** What the receive function needs to know. */
export interface ReceiveConfig {
  readonly inboxTable: string;
  readonly outboxTable: string;
  readonly sequencesTable: string;
  readonly signingSecretId: string;
  readonly window: DedupWindow;
  readonly maxBodyBytes: number;
  readonly joinMs: DurationMs;
}

/** @throws OncehookError `CONFIG_INVALID` naming everything that is wrong at once. */
export function readReceiveConfig(env: Readonly<Record<string, string | undefined>>): ReceiveConfig {
  const problems: string[] = [];
  const text = (name: string): string => {
    const value = env[name] ?? '';
    if (value === '') problems.push(`${name} is not set`);
    return value;
  };
  const wholeNumber = (name: string, least: number): number => {
    const value = env[name] ?? '';
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < least) {
      problems.push(`${name} must be a whole number of at least ${least}, got ${JSON.stringify(value)}`);
    }
    return number;
  };
  const config: ReceiveConfig = {
    inboxTable: text(ENV.inboxTable),
    outboxTable: text(ENV.outboxTable),
    sequencesTable: text(ENV.sequencesTable),
    signingSecretId: text(ENV.signingSecretId),
    window: env[ENV.dedupWindowSeconds] === 'forever' ? 'forever' : seconds(wholeNumber(ENV.dedupWindowSeconds, 1)),
    maxBodyBytes: wholeNumber(ENV.maxBodyBytes, 1),
    joinMs: milliseconds(wholeNumber(ENV.joinMs, 0)),
  };
  if (problems.length > 0) throw new OncehookError('CONFIG_INVALID', problems.join('; '), { retryable: false });
  return config;
}
