import { ENV } from '../contract.ts';
import type { DedupWindow } from '../core/dedup-window.ts';
import { type DurationMs, milliseconds, seconds } from '../core/time.ts';
import { readEnvironment } from './environment.ts';

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
  const { text, wholeNumber, check } = readEnvironment(env);
  const config: ReceiveConfig = {
    inboxTable: text(ENV.inboxTable),
    outboxTable: text(ENV.outboxTable),
    sequencesTable: text(ENV.sequencesTable),
    signingSecretId: text(ENV.signingSecretId),
    window: env[ENV.dedupWindowSeconds] === 'forever' ? 'forever' : seconds(wholeNumber(ENV.dedupWindowSeconds, 1)),
    maxBodyBytes: wholeNumber(ENV.maxBodyBytes, 1),
    joinMs: milliseconds(wholeNumber(ENV.joinMs, 0)),
  };
  check();
  return config;
}
