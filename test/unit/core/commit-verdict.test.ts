import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CancellationReason, readCancellation, readInboxRow } from '../../../lambda/core/commit-verdict.ts';
import type { InboxRow, InboxStatus } from '../../../lambda/core/inbox-row.ts';
import { T0 } from '../../support/manual-clock.ts';

const row = (status: InboxStatus, claimToken: string): InboxRow => ({
  key: 'bazaar#evt_1',
  source: 'bazaar',
  eventId: 'evt_1',
  type: 'note',
  status,
  receivedAt: T0,
  claimToken,
  leaseUntil: undefined,
  attempts: 1,
  failures: 0,
  bodyHash: '',
  failedAt: undefined,
  expiresAt: undefined,
  steps: {},
});
const reasons = (...codes: string[]): readonly CancellationReason[] =>
  codes.map((code) => ({ code, message: undefined }));
const CHECK = 'ConditionalCheckFailed';

describe('the inbox row of a refused commit', () => {
  it.each([
    ['processed', 'mine', 'committed'],
    ['superseded', 'mine', 'superseded'],
    ['processed', 'other', 'duplicate'],
    ['superseded', 'other', 'duplicate'],
    ['claimed', 'other', 'claim-lost'],
    ['claimed', 'mine', 'claim-lost'],
    ['failed', 'mine', 'claim-lost'],
    ['parked', 'mine', 'claim-lost'],
    ['cleared', 'mine', 'claim-lost'],
  ] as const)('that is %s with the token %s means %s', (status, token, expected) => {
    expect(readInboxRow(row(status, token), 'mine').kind).toBe(expected);
  });

  it('that is gone means a lost claim', () => {
    expect(readInboxRow(undefined, 'mine').kind).toBe('claim-lost');
  });
});

describe('a cancelled commit', () => {
  const read = (codes: readonly CancellationReason[], hasOrder = true) =>
    readCancellation(codes, { inboxRow: row('processed', 'other'), token: 'mine', hasOrder });

  it.each<[readonly CancellationReason[], boolean, object]>([
    [reasons(CHECK, CHECK, CHECK), true, { kind: 'duplicate' }],
    [reasons('None', CHECK, CHECK), true, { kind: 'superseded' }],
    [reasons('None', CHECK, CHECK), false, { kind: 'condition-failed', index: 0 }],
    [reasons('None', 'None', CHECK), true, { kind: 'condition-failed', index: 0 }],
    [reasons('None', 'None', CHECK), false, { kind: 'condition-failed', index: 1 }],
    [reasons('None', 'TransactionConflict', CHECK), false, { kind: 'condition-failed', index: 1 }],
    [reasons('TransactionConflict', 'None'), false, { kind: 'busy', reason: 'conflict' }],
    [reasons('ThrottlingError', 'ProvisionedThroughputExceeded'), false, { kind: 'busy', reason: 'throttled' }],
    [reasons('ThrottlingError', 'TransactionConflict'), false, { kind: 'busy', reason: 'conflict' }],
    [reasons('ThrottlingError', 'ValidationError'), false, { kind: 'invalid', message: 'ValidationError' }],
    [
      reasons('None', 'ItemCollectionSizeLimitExceeded'),
      false,
      { kind: 'invalid', message: 'ItemCollectionSizeLimitExceeded' },
    ],
    [reasons('None', 'None'), false, { kind: 'unknown' }],
    [reasons('SomethingNew'), false, { kind: 'unknown' }],
    [[], false, { kind: 'unknown' }],
  ])('with %j and an order: %s', (codes, hasOrder, expected) => {
    expect(read(codes, hasOrder)).toMatchObject(expected);
  });

  it('is never read as committed unless the row says so', () => {
    const code = fc.constantFrom('None', CHECK, 'TransactionConflict', 'ThrottlingError', 'ValidationError', 'New');
    fc.assert(
      fc.property(fc.array(code, { maxLength: 6 }), fc.boolean(), (codes, hasOrder) => {
        expect(read(reasons(...codes), hasOrder).kind).not.toBe('committed');
      }),
    );
  });
});
