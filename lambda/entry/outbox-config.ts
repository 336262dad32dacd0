import { ENV } from '../contract.ts';
import { type DurationMs, seconds } from '../core/time.ts';
import { readEnvironment } from './environment.ts';

/** What dispatch and sweep both need to know. */
export interface OutboxConfig {
  readonly outboxTable: string;
  readonly queue: { readonly url: string; readonly isFifo: boolean };
}

export interface SweepConfig extends OutboxConfig {
  /** For so long a message is left to the stream. */
  readonly after: DurationMs;
}

/** @throws OncehookError `CONFIG_INVALID` naming everything that is wrong at once. */
export function readDispatchConfig(env: Readonly<Record<string, string | undefined>>): OutboxConfig {
  const { text, flag, check } = readEnvironment(env);
  const config = {
    outboxTable: text(ENV.outboxTable),
    queue: { url: text(ENV.outboxQueueUrl), isFifo: flag(ENV.outboxFifo) },
  };
  check();
  return config;
}

/** @throws as {@link readDispatchConfig}. */
export function readSweepConfig(env: Readonly<Record<string, string | undefined>>): SweepConfig {
  const { text, flag, wholeNumber, check } = readEnvironment(env);
  const config = {
    outboxTable: text(ENV.outboxTable),
    queue: { url: text(ENV.outboxQueueUrl), isFifo: flag(ENV.outboxFifo) },
    after: seconds(wholeNumber(ENV.sweepAfterSeconds, 1)),
  };
  check();
  return config;
}
