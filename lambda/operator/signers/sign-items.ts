import { stringifyJson } from '../../core/json.ts';
import { jsonBody } from '../../providers/json-body.ts';
import { valueAt } from '../../providers/read-location.ts';
import { setAt } from '../delivery/body-path.ts';
import { Refusal } from '../refusal.ts';

/**
 * Writes a proof into each item of the list that a JSON body has at `list`.
 *
 * @param field Where in an item the proof goes.
 * @throws Refusal for a body without such a list, or with something else in it.
 */
export function signItems(
  body: Uint8Array,
  list: string,
  field: readonly string[],
  proofOf: (item: unknown) => string,
): Uint8Array {
  const value = jsonBody(body);
  const items = valueAt(value, [list]);
  if (!Array.isArray(items) || items.length === 0 || !items.every(isRecord)) {
    throw new Refusal(`the body cannot be signed: each item of ${list} has its own proof, and there is no such list`);
  }
  for (const item of items) setAt(item, field, proofOf(item));
  return Buffer.from(stringifyJson(value));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
