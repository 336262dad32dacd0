import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalAws } from '../local/local-aws.ts';

/** When the stream tells nobody anything. In milliseconds, from the first delivery on. */
export interface Outage {
  readonly afterMs: number;
  /** Longer than the sweep leaves a message to the stream. */
  readonly forMs: number;
}

/** A minute of the schedule, scaled down to the run. */
const SWEEP_EVERY_MS = 1500;

/** Runs the sweep again and again until the result is called, which resolves when the last run has ended. */
export function startSweeping(aws: LocalAws): () => Promise<void> {
  const ending = new AbortController();
  const sweeping = (async () => {
    while (!ending.signal.aborted) {
      await sleep(SWEEP_EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      if (!ending.signal.aborted) await aws.fireSchedule('sweep');
    }
  })();
  return () => {
    ending.abort();
    return sweeping;
  };
}

/** Resolves when the stream is back. */
export async function stopStream(aws: LocalAws, { afterMs, forMs }: Outage, signal: AbortSignal): Promise<void> {
  await sleep(afterMs, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) return;
  await aws.mappings.pause('dispatch');
  await sleep(forMs, undefined, { signal }).catch(() => undefined);
  aws.mappings.resume('dispatch');
}
