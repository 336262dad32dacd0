import type { Sources } from '../../authoring/define-sources.ts';
import { type DurationMs, days } from '../../core/time.ts';
import { deployedWindow } from '../deployed-window.ts';
import type { Inspection } from '../deployment/inspection-port.ts';
import { type Finding, fail, ok, warn } from './check.ts';

const CHECK = 'dedup window';

/** The deployed window against how long the providers of the sources here send an event again. */
export async function checkWindow(
  inspection: Pick<Inspection, 'workEnvironment'>,
  sources: Sources,
): Promise<readonly Finding[]> {
  const window = await deployedWindow(inspection);
  if (window === undefined) return [warn(CHECK, 'the deployed functions do not show it')];
  if (window === 'forever') return [ok(CHECK, 'for ever')];
  const tooLong = [...sources.values()].filter(({ provider }) => provider.retryHorizon > window);
  if (tooLong.length === 0) return [ok(CHECK, `${inDays(window)}, longer than every provider sends an event again`)];
  return tooLong.map(({ name, provider }) =>
    fail(CHECK, `is ${inDays(window)}, and ${name} sends an event again for ${inDays(provider.retryHorizon)}`),
  );
}

const inDays = (duration: DurationMs): string => `${Number((duration / days(1)).toFixed(2))} days`;
