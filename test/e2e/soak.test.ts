import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { endure } from '../../demo/endure.ts';

describe('killing functions, pollers and DynamoDB at random moments', () => {
  it('loses nothing and applies nothing twice, three times', async () => {
    const seed = randomBytes(4).toString('hex');
    console.log(`npm run soak -- --rounds 3 --seed ${seed}`);

    const reckoning = await endure({
      rounds: 3,
      seed,
      reckonEachRound: false,
      signal: new AbortController().signal,
    });

    expect(reckoning?.problems, `seed ${seed}`).toEqual([]);
    expect(reckoning?.audit).toMatchObject({ lostEvents: 0, doubleCredits: 0, lostMessages: 0, doubleConsumed: 0 });
  });
});
