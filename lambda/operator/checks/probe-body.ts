import { stringifyJson } from '../../core/json.ts';
import type { AnyPreset } from '../../providers/preset.ts';
import { setAt } from '../delivery/body-path.ts';

/**
 * The body of a delivery with one event, the least that is one of the provider. `undefined` for a provider whose
 * events stand in a body in a way that is not imitated here.
 */
export function buildProbeBody(provider: AnyPreset, id: string, type: string): Uint8Array | undefined {
  const { batch, explode, only } = provider;
  if (explode !== undefined || batch?.includes('*') === true) return undefined;

  const event: Record<string, unknown> = {};
  for (const location of provider.id.slice(0, 1).flat()) if ('json' in location) setAt(event, location.json, id);
  for (const location of provider.type.at(-1) ?? []) if ('json' in location) setAt(event, location.json, type);
  if (only !== undefined) setAt(event, only.json, only.is);
  return Buffer.from(stringifyJson(batch === undefined ? event : inBatch(batch, event)));
}

function inBatch(path: readonly string[], event: unknown): unknown {
  if (path.length === 0) return [event];
  const whole: Record<string, unknown> = {};
  setAt(whole, path, [event]);
  return whole;
}
