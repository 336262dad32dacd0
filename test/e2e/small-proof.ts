import { inject } from 'vitest';
import { type ProofOptions, prove } from '../../demo/prove.ts';
import type { Run } from '../../demo/report.ts';

/** Small enough for a test; `npm run demo` is the real one. */
const SMALL: ProofOptions = {
  seed: 'small',
  size: { events: 24, crashesARow: 1, zombies: 3, hopeless: 1, refused: 1, failingConsumers: 0 },
  atOnce: 6,
  heldMs: 4500,
  patienceMs: 30_000,
  scale: { consumerSeconds: 4, outboxHiddenSeconds: 5, eventsHiddenSeconds: 5 },
  maxAttempts: 4,
  drainMs: 60_000,
  leastCrashes: 1,
  signal: new AbortController().signal,
};

export async function smallProof(options: Partial<ProofOptions> = {}): Promise<Run> {
  const run = await prove({ ...SMALL, dynamodbEndpoint: inject('dynamodbEndpoint'), ...options });
  if (run === undefined) throw new Error('the run was stopped');
  return run;
}
