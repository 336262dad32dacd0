import { stringifyJson } from '../../core/json.ts';
import type { ProviderPreset } from '../../providers/preset.ts';
import { setAt } from '../delivery/body-path.ts';

/** The least that is an event of a provider, and the body of a delivery with it alone. */
export interface ProbeBody {
  readonly event: unknown;
  readonly body: Uint8Array;
}

/** `undefined` for a provider whose events stand in a body in a way that is not imitated here. */
export function buildProbeBody(provider: ProviderPreset, id: string, type: string): ProbeBody | undefined {
  const { batch, explode, only } = provider;
  if (explode !== undefined || batch?.includes('*') === true) return undefined;

  const event: Record<string, unknown> = {};
  for (const location of provider.id.slice(0, 1).flat()) if ('json' in location) setAt(event, location.json, id);
  for (const location of provider.type.at(-1) ?? []) if ('json' in location) setAt(event, location.json, type);
  if (only !== undefined) setAt(event, only.json, only.is);
  return { event, body: Buffer.from(stringifyJson(batch === undefined ? event : inBatch(batch, event))) };
}

function inBatch(path: readonly string[], event: unknown): unknown {
  if (path.length === 0) return [event];
  const whole: Record<string, unknown> = {};
  setAt(whole, path, [event]);
  return whole;
}
