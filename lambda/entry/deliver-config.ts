import { readTargets } from '../authoring/read-targets.ts';
import { ENV } from '../contract.ts';
import { OncehookError } from '../core/errors.ts';
import type { Target } from '../core/target.ts';
import { readEnvironment } from './environment.ts';

export interface DeliverConfig {
  readonly targets: readonly Target[];
  readonly deliveries: { readonly url: string; readonly isFifo: boolean };
  readonly signingSecretId: string;
}

/** @throws OncehookError `CONFIG_INVALID` naming what is wrong. */
export function readDeliverConfig(env: Readonly<Record<string, string | undefined>>): DeliverConfig {
  const { text, flag, check } = readEnvironment(env);
  const given = text(ENV.deliverTargets);
  const config = {
    deliveries: { url: text(ENV.deliveriesQueueUrl), isFifo: flag(ENV.outboxFifo) },
    signingSecretId: text(ENV.signingSecretId),
  };
  check();

  // The stack held the same rules; nothing is called that one of them refuses, whoever changed the function since.
  const { targets, problems } = readTargets(decode(given));
  if (problems.length > 0) throw new OncehookError('CONFIG_INVALID', problems.join('; '), { retryable: false });
  return { ...config, targets };
}

function decode(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Its message would repeat the text.
  }
  throw new OncehookError('CONFIG_INVALID', `${ENV.deliverTargets} is not a JSON object`, { retryable: false });
}
