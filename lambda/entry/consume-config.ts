import type { Consumer } from '../authoring/once-consumer.ts';
import { ENV } from '../contract.ts';
import type { DedupWindow } from '../core/dedup-window.ts';
import { OncehookError } from '../core/errors.ts';
import { seconds } from '../core/time.ts';
import { readEnvironment } from './environment.ts';

/** What the consumer needs to know. */
export interface ConsumeConfig {
  readonly inboxTable: string;
  readonly window: DedupWindow;
  readonly outboxQueueUrl: string;
  readonly deadLetters: { readonly url: string; readonly isFifo: boolean };
}

/** @throws OncehookError `CONFIG_INVALID` naming everything that is wrong at once. */
export function readConsumeConfig(env: Readonly<Record<string, string | undefined>>): ConsumeConfig {
  const { text, wholeNumber, flag, check } = readEnvironment(env);
  const config: ConsumeConfig = {
    inboxTable: text(ENV.inboxTable),
    window: env[ENV.dedupWindowSeconds] === 'forever' ? 'forever' : seconds(wholeNumber(ENV.dedupWindowSeconds, 1)),
    outboxQueueUrl: text(ENV.outboxQueueUrl),
    deadLetters: { url: text(ENV.outboxDlqUrl), isFifo: flag(ENV.outboxFifo) },
  };
  check();
  return config;
}

/** @throws OncehookError `CONFIG_INVALID` when there is none: the stack deploys no consumer then. */
export function requireConsumer(consumer: Consumer | undefined): Consumer {
  if (consumer !== undefined) return consumer;
  throw new OncehookError('CONFIG_INVALID', 'lambda/handlers/consumer.ts exports no consumer', { retryable: false });
}
