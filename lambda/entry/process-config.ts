import { ENV } from '../contract.ts';
import type { DedupWindow } from '../core/dedup-window.ts';
import { type DurationMs, milliseconds, seconds } from '../core/time.ts';
import { type EnvironmentReader, readEnvironment } from './environment.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What receive and work both need to know. */
export interface ProcessConfig {
  readonly tables: { readonly inbox: string; readonly outbox: string; readonly sequences: string };
  readonly window: DedupWindow;
  readonly maxAttempts: number;
  readonly retryAfter: DurationMs;
  readonly eventsQueueUrl: string;
  readonly eventsDlqUrl: string;
  readonly bodiesBucket: string;
}

export interface ReceiveConfig extends ProcessConfig {
  readonly signingSecretId: string;
  readonly maxBodyBytes: number;
  readonly joinMs: DurationMs;
}

/** @throws OncehookError `CONFIG_INVALID` naming everything that is wrong at once. */
export function readReceiveConfig(env: Environment): ReceiveConfig {
  const reader = readEnvironment(env);
  const config: ReceiveConfig = {
    ...processConfig(env, reader),
    signingSecretId: reader.text(ENV.signingSecretId),
    maxBodyBytes: reader.wholeNumber(ENV.maxBodyBytes, 1),
    joinMs: milliseconds(reader.wholeNumber(ENV.joinMs, 0)),
  };
  reader.check();
  return config;
}

/** @throws as {@link readReceiveConfig}. */
export function readWorkConfig(env: Environment): ProcessConfig {
  const reader = readEnvironment(env);
  const config = processConfig(env, reader);
  reader.check();
  return config;
}

const processConfig = (env: Environment, { text, wholeNumber }: EnvironmentReader): ProcessConfig => ({
  tables: { inbox: text(ENV.inboxTable), outbox: text(ENV.outboxTable), sequences: text(ENV.sequencesTable) },
  window: env[ENV.dedupWindowSeconds] === 'forever' ? 'forever' : seconds(wholeNumber(ENV.dedupWindowSeconds, 1)),
  maxAttempts: wholeNumber(ENV.maxAttempts, 1),
  retryAfter: seconds(wholeNumber(ENV.retryAfterSeconds, 0)),
  eventsQueueUrl: text(ENV.eventsQueueUrl),
  eventsDlqUrl: text(ENV.eventsDlqUrl),
  bodiesBucket: text(ENV.bodiesBucket),
});
