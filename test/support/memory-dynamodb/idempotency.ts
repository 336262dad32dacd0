import type { TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { idempotentParameterMismatch, validationException } from './errors.ts';

/**
 * How long a client token is remembered, in milliseconds.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const TOKEN_WINDOW_MS = 10 * 60 * 1000;
const MAX_TOKEN_LENGTH = 36;

/** Text that is equal for equal parameters, whatever the order of their names. */
function canonical(value: unknown): string {
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString('base64'))}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

/** Remembers the transactions that were applied under a client token. */
export function createIdempotency(now: () => number) {
  const applied = new Map<string, { readonly parameters: string; readonly atMs: number }>();

  /**
   * Runs `apply` unless this token's transaction was applied within the last ten minutes.
   * @throws IdempotentParameterMismatchException when it was applied with other parameters.
   */
  return function once(input: TransactWriteItemsCommandInput, apply: () => void): void {
    const { ClientRequestToken: token, ...parameters } = input;
    if (token === undefined) {
      apply();
      return;
    }
    if (token.length < 1 || token.length > MAX_TOKEN_LENGTH) {
      throw validationException(
        `Value at 'clientRequestToken' failed to satisfy constraint: Member must have length from 1 to ${MAX_TOKEN_LENGTH}`,
      );
    }
    const known = applied.get(token);
    const text = canonical(parameters);
    if (known !== undefined && now() - known.atMs < TOKEN_WINDOW_MS) {
      if (known.parameters !== text) throw idempotentParameterMismatch();
      return;
    }
    apply();
    applied.set(token, { parameters: text, atMs: now() });
  };
}
