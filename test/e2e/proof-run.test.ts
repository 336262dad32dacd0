import { describe, expect, it } from 'vitest';
import { GUARDS, type Guard } from '../../demo/guards.ts';
import { type ProofOptions, prove } from '../../demo/prove.ts';
import { type Run, summarise } from '../../demo/report.ts';

/** Small enough for a test; `npm run demo` is the real one. */
const SMALL: ProofOptions = {
  seed: 'small',
  size: { events: 24, crashesARow: 1, zombies: 3 },
  atOnce: 6,
  heldMs: 4500,
  patienceMs: 30_000,
  leastCrashes: 1,
  signal: new AbortController().signal,
};

async function runOf(options: Partial<ProofOptions>): Promise<Run> {
  const run = await prove({ ...SMALL, ...options });
  if (run === undefined) throw new Error('the run was stopped');
  return run;
}

describe('a proof run', () => {
  it('finds every event applied once, whatever befell it', async () => {
    const run = await runOf({});

    expect(run.audit).toEqual({ doubleCredits: 0, lostCredits: 0, violations: [] });
    expect(run.zombies).toBe(3);
    expect(summarise(run)).toMatchObject({ events: 24, violations: 0, crashes: 9, seed: 'small' });
  });

  // Each with what it takes to miss the guard and no more.
  it.each<[Guard, 'doubleCredits' | 'lostCredits', Partial<ProofOptions>]>([
    ['fence', 'doubleCredits', { size: { events: 3, crashesARow: 0, zombies: 3 } }],
    ['condition', 'doubleCredits', { size: { events: 6, crashesARow: 0, zombies: 0 }, patienceMs: 3000 }],
    ['lease', 'lostCredits', { size: { events: 12, crashesARow: 1, zombies: 0 }, patienceMs: 2500 }],
    ['ack', 'lostCredits', { size: { events: 12, crashesARow: 1, zombies: 0 } }],
  ])('without the guard "%s" finds %s', async (without, figure, options) => {
    const { audit } = await runOf({ without, leastCrashes: 0, ...options });

    expect(audit[figure]).toBeGreaterThan(0);
    expect(audit.violations.length).toBeGreaterThan(0);
  });

  it('can do without each of its guards', () => {
    expect(GUARDS).toEqual(['fence', 'condition', 'lease', 'ack']);
  });
});
