import type { StoredValue } from '../ports.ts';
import { Refusal } from '../refusal.ts';

/**
 * The signing secrets of all sources as they are stored: `{ "<source>": ["current", "previous"] }`.
 * Entries of other sources are kept as they are, whatever they hold.
 */
export type SecretLists = Readonly<Record<string, unknown>>;

/**
 * What one source has: the current first. `broken` when the entry is no list of texts, which
 * receivers answer with 503.
 */
export type SourceSecrets = readonly string[] | 'broken';

/** @throws Refusal when the value is not a JSON object: it may hold more than is understood here. */
export function decodeSecretLists(stored: StoredValue): SecretLists {
  const value = stored.kind === 'none' ? {} : parse(stored.text);
  if (isRecord(value)) return value;
  throw new Refusal('the stored value is not a JSON object of lists, so it was left as it is');
}

/** Secrets Manager's limit on a value, in bytes of UTF-8.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html */
export const MAX_VALUE_BYTES = 65_536;

/** @throws Refusal when the value would be larger than Secrets Manager takes. */
export function encodeSecretLists(lists: SecretLists): string {
  const text = JSON.stringify(lists);
  if (Buffer.byteLength(text) <= MAX_VALUE_BYTES) return text;
  throw new Refusal(`all signing secrets together would be over ${MAX_VALUE_BYTES} bytes, so nothing was changed`);
}

/** @returns an empty list for a source without an entry. */
export function secretsOf(lists: SecretLists, source: string): SourceSecrets {
  const entry = Object.hasOwn(lists, source) ? lists[source] : [];
  return Array.isArray(entry) && entry.every((secret) => typeof secret === 'string') ? entry : 'broken';
}

/** An empty list removes the entry. */
export function withSecrets(lists: SecretLists, source: string, secrets: readonly string[]): SecretLists {
  const { [source]: _before, ...others } = lists;
  return secrets.length === 0 ? others : { ...others, [source]: secrets };
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is SecretLists =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
