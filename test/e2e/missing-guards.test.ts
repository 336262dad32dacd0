import { describe, expect, it } from 'vitest';
import { GUARDS, type Guard } from '../../demo/guards.ts';
import type { ProofOptions } from '../../demo/prove.ts';
import { smallProof } from './small-proof.ts';

describe('a proof run', () => {
  // Each with what it takes to miss the guard and no more; the fence has a test beside the whole run.
  it.each<[Guard, 'doubleCredits' | 'lostCredits', Partial<ProofOptions>]>([
    ['condition', 'doubleCredits', { size: { events: 6, crashesARow: 0, zombies: 0 }, patienceMs: 3000 }],
    ['lease', 'lostCredits', { size: { events: 12, crashesARow: 1, zombies: 0 }, patienceMs: 2500 }],
    ['ack', 'lostCredits', { size: { events: 12, crashesARow: 1, zombies: 0 } }],
  ])('without the guard "%s" finds %s', async (without, figure, options) => {
    const { audit } = await smallProof({ without, leastCrashes: 0, ...options });

    expect(audit[figure]).toBeGreaterThan(0);
    expect(audit.violations.length).toBeGreaterThan(0);
  });

  it('can do without each of its guards', () => {
    expect(GUARDS).toEqual(['fence', 'condition', 'lease', 'ack']);
  });
});
