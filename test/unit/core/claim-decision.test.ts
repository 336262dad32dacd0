import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideClaim } from '../../../lambda/core/claim-decision.ts';
import type { InboxRow, InboxStatus } from '../../../lambda/core/inbox-row.ts';
import { type EpochSeconds, epochMs, plus } from '../../../lambda/core/time.ts';
import { T0 } from '../../support/manual-clock.ts';

const row = (changes: Partial<InboxRow>): InboxRow => ({
  key: 'bazaar#evt_1',
  source: 'bazaar',
  eventId: 'evt_1',
  type: 'note',
  status: 'claimed',
  receivedAt: T0,
  claimToken: 'other',
  leaseUntil: undefined,
  attempts: 3,
  failures: 2,
  bodyHash: '',
  failedAt: undefined,
  expiresAt: undefined,
  steps: {},
  ...changes,
});

describe('a row that is there', () => {
  it.each<[string, Partial<InboxRow>, object]>([
    ['claimed with my token', { claimToken: 'mine', leaseUntil: plus(T0, 1) }, { kind: 'mine' }],
    ['claimed, lease ends in a millisecond', { leaseUntil: plus(T0, 1) }, { kind: 'in-progress', leaseUntil: T0 + 1 }],
    ['claimed, lease ends now', { leaseUntil: T0 }, { kind: 'take-over', attempts: 4, failures: 2 }],
    ['claimed without a lease', {}, { kind: 'take-over', attempts: 4, failures: 2 }],
    ['failed', { status: 'failed' }, { kind: 'take-over', attempts: 4, failures: 2 }],
    ['parked', { status: 'parked' }, { kind: 'take-over', attempts: 1, failures: 0 }],
    ['cleared', { status: 'cleared' }, { kind: 'take-over', attempts: 1, failures: 0 }],
    ['processed without an expiry', { status: 'processed' }, { kind: 'duplicate' }],
    [
      'processed, expires in a second',
      { status: 'processed', expiresAt: (T0 / 1000 + 1) as EpochSeconds },
      { kind: 'duplicate' },
    ],
    ['processed, expires now', { status: 'processed', expiresAt: (T0 / 1000) as EpochSeconds }, { kind: 'forgotten' }],
    ['superseded', { status: 'superseded' }, { kind: 'duplicate' }],
    ['superseded, expired', { status: 'superseded', expiresAt: 1 as EpochSeconds }, { kind: 'forgotten' }],
    ['processed with my token', { status: 'processed', claimToken: 'mine' }, { kind: 'duplicate' }],
  ])('%s', (_case, changes, expected) => {
    expect(decideClaim(row(changes), 'mine', T0)).toEqual(expected);
  });

  it.each([
    ['ten seconds', 10_000, 'take-over'],
    ['more than ten seconds', 10_001, 'already-parked'],
  ])('parked %s after the copy was sent, whose clock may differ, is %j', (_case, after, kind) => {
    const parked = row({ status: 'parked', failedAt: plus(T0, after) });

    expect(decideClaim(parked, 'mine', plus(T0, 3_600_000), T0).kind).toBe(kind);
    expect(decideClaim(parked, 'mine', plus(T0, 3_600_000)).kind).toBe('take-over');
    expect(decideClaim({ ...parked, failedAt: undefined }, 'mine', T0, T0).kind).toBe('take-over');
  });

  it('with a lease in milliseconds ends when it should, whatever the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: -900_000, max: 900_000 }), (now, left) => {
        const { kind } = decideClaim(row({ leaseUntil: epochMs(now + left) }), 'mine', epochMs(now));
        expect(kind).toBe(left > 0 ? 'in-progress' : 'take-over');
      }),
    );
  });

  it('is never taken over while it is finished and remembered', () => {
    const statuses: readonly InboxStatus[] = ['processed', 'superseded'];
    fc.assert(
      fc.property(fc.constantFrom(...statuses), fc.integer({ min: T0 / 1000 + 1, max: 4e9 }), (status, expiresAt) => {
        expect(decideClaim(row({ status, expiresAt: expiresAt as EpochSeconds }), 'mine', T0).kind).toBe('duplicate');
      }),
    );
  });
});
