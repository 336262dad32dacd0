/**
 * The signing secrets of all sources: one Secrets Manager secret, read once and remembered.
 */
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { isOncehookError } from '../../core/errors.ts';
import type { Clock, SecretAnswer, SecretSource } from '../../core/ports.ts';
import { type EpochMs, seconds } from '../../core/time.ts';
import { createBudget } from '../budget.ts';
import { isOutage } from './is-outage.ts';

/** A secret that was taken out stays valid this long at most. */
const FRESH_FOR = seconds(300);

/** While Secrets Manager itself fails, what it said last still counts, for this long. */
const USABLE_FOR = seconds(3600);

/**
 * Reads that may come at once, and how soon another one may. It bounds what a flood of bad signatures, or a missing
 * secret, costs, to a read a second an instance; and because a flood asks for each of them, a new secret is known a
 * second after it was added even then. Without a flood it is known to the first delivery that is signed with it.
 */
const READS = 5;
const READS_GROW_EVERY = seconds(1);

interface Known {
  readonly at: EpochMs;
  readonly answer: (source: string) => SecretAnswer;
}

export function createSigningSecrets(
  client: Pick<SecretsManagerClient, 'send'>,
  secretId: string,
  clock: Clock,
): SecretSource {
  let known: Known | undefined;
  const budget = createBudget(READS, READS_GROW_EVERY, clock);
  let reading: Promise<void> | undefined;

  const readOnce = async (): Promise<void> => {
    const now = clock.now();
    try {
      const { SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      known = { at: now, answer: decodeSecrets(text) };
    } catch (error) {
      // Whoever deleted the secret, or took our right to read it, meant that it counts no more.
      if (known !== undefined && now - known.at < USABLE_FOR && isOutage(error)) return;
      const reason = `the signing secret could not be read: ${reasonOf(error)}`;
      known = { at: now, answer: () => ({ kind: 'none', reason }) };
    }
  };

  return {
    async secretsOf(source, after) {
      const now = clock.now();
      const stale = known === undefined || now - known.at >= FRESH_FOR || after === 'mismatch';
      if (reading !== undefined || (stale && budget.spend())) {
        // Requests that come together share one read.
        reading ??= readOnce().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return known?.answer(source) ?? { kind: 'none', reason: 'the signing secret was not read yet' };
    },
  };
}

const reasonOf = (error: unknown): string =>
  isOncehookError(error) ? error.code : error instanceof Error ? error.name : 'no answer';

/** `{ "<source>": ["current", "previous"] }`; anything else fails closed. */
export function decodeSecrets(text: string | undefined): (source: string) => SecretAnswer {
  let all: unknown;
  try {
    all = JSON.parse(text ?? '');
  } catch {
    return () => ({ kind: 'none', reason: 'the signing secret is not JSON' });
  }
  return (source) => {
    const list: unknown =
      typeof all === 'object' && all !== null && Object.hasOwn(all, source) ? Reflect.get(all, source) : undefined;
    if (list === undefined) return { kind: 'none', reason: `the signing secret has no entry for ${source}` };
    if (
      !Array.isArray(list) ||
      list.length === 0 ||
      !list.every((secret) => typeof secret === 'string' && secret.trim() !== '')
    ) {
      return { kind: 'none', reason: `the signing secret's entry for ${source} is not a list of texts` };
    }
    return { kind: 'found', secrets: list };
  };
}
