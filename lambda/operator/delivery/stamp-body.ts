import { parseJson, stringifyJson } from '../../core/json.ts';
import type { Scheme } from '../../providers/scheme.ts';
import { signBody, type UnsignedDelivery } from '../../providers/sign.ts';
import { Refusal } from '../refusal.ts';
import { setAt } from './body-path.ts';

/**
 * The body with the time, and where no header has it the signature, that its scheme wants inside; the
 * same bytes for a scheme that wants neither.
 *
 * @throws Refusal for a body that has no place for them.
 */
export function stampBody(scheme: Scheme, secret: string, delivery: UnsignedDelivery): Uint8Array {
  if (!wantsStamp(scheme)) return delivery.body;
  const stamps = signedStamps(scheme, secret, delivery);
  const value = parseObject(delivery.body);
  for (const { path, value: stamp } of stamps) setAt(value, path, stamp);
  return Buffer.from(stringifyJson(value));
}

/** Whether the body itself has to be changed for every sending. */
export const wantsStamp = (scheme: Scheme): boolean =>
  scheme.kind !== 'token' &&
  (scheme.field !== undefined || (typeof scheme.timestamp?.from === 'object' && 'json' in scheme.timestamp.from));

function signedStamps(scheme: Scheme, secret: string, delivery: UnsignedDelivery) {
  try {
    return signBody(scheme, secret, delivery);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(`the body cannot be signed: ${error.message}`);
    throw error;
  }
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isRecord(value)) return value;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new Refusal('the time of sending goes into the body, so the body must be a JSON object');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
