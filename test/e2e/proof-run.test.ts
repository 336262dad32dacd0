import { describe, expect, it } from 'vitest';
import { summarise } from '../../demo/report.ts';
import { smallProof } from './small-proof.ts';

describe('a proof run', () => {
  it('finds every event applied once, whatever befell it', async () => {
    const run = await smallProof();

    expect(run.audit).toEqual({ doubleCredits: 0, lostCredits: 0, violations: [] });
    expect(run.zombies).toBe(3);
    expect(summarise(run)).toMatchObject({ events: 24, violations: 0, crashes: 9, seed: 'small' });
  });

  it('without the fence finds every commit that was held back applied as well', async () => {
    const size = { events: 3, crashesARow: 0, zombies: 3 };

    const { audit } = await smallProof({ without: 'fence', leastCrashes: 0, size });

    expect(audit.doubleCredits).toBe(3);
    expect(audit.violations.length).toBeGreaterThan(0);
  });
});
