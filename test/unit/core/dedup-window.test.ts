import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryOf } from '../../../lambda/core/dedup-window.ts';
import { epochMs, milliseconds } from '../../../lambda/core/time.ts';

describe('the expiry of a row', () => {
  it('is in whole seconds and never before the window has passed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1e11 }), (at, window) => {
        const expiry = expiryOf(epochMs(at), milliseconds(window)) ?? 0;

        expect(Number.isInteger(expiry)).toBe(true);
        expect(expiry * 1000 - (at + window)).toBeGreaterThanOrEqual(0);
        expect(expiry * 1000 - (at + window)).toBeLessThan(1000);
      }),
    );
  });

  it('is absent when the window is forever', () => {
    expect(expiryOf(epochMs(0), 'forever')).toBeUndefined();
  });
});
