import { describe, expect, it } from 'vitest';
import { summarise } from '../../demo/report.ts';
import { smallProof } from './small-proof.ts';

describe('a proof run', () => {
  it('finds every event and every message applied once, whatever befell them', async () => {
    const run = await smallProof({ outage: { afterMs: 500, forMs: 6500 } });

    expect(run.shortcomings).toEqual([]);
    expect(run.audit).toEqual({
      doubleCredits: 0,
      lostCredits: 0,
      parked: 1,
      lostEvents: 0,
      emitted: 23,
      consumed: 23,
      doubleConsumed: 0,
      lostMessages: 0,
      violations: [],
    });
    expect(run.zombies).toBe(3);
    expect(run.sentBy.get('sweep')).toBeGreaterThan(0);
    expect([...run.killed.keys()]).toEqual(expect.arrayContaining(['receive', 'consume']));
    expect(summarise(run)).toMatchObject({ events: 24, violations: 0, crashes: 10, seed: 'small' });
    expect(summarise(run).queued).toBeGreaterThan(0);
    expect(summarise(run).consumerDuplicates).toBeGreaterThan(0);
  });
});
