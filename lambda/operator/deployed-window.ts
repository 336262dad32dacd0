import { ENV } from '../contract.ts';
import type { DedupWindow } from '../core/dedup-window.ts';
import { seconds } from '../core/time.ts';
import type { Inspection } from './deployment/inspection-port.ts';

/**
 * The dedup window as it is deployed.
 *
 * @returns `undefined` where no function shows it.
 * @throws Refusal when it cannot be looked at.
 */
export async function deployedWindow(
  inspection: Pick<Inspection, 'workEnvironment'>,
): Promise<DedupWindow | undefined> {
  const text = (await inspection.workEnvironment())?.[ENV.dedupWindowSeconds];
  if (text === 'forever') return text;
  return text !== undefined && /^\d{1,12}$/.test(text) ? seconds(Number(text)) : undefined;
}
