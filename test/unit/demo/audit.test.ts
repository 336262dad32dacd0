import { describe, expect, it } from 'vitest';
import { audit } from '../../../demo/audit.ts';
import type { Books } from '../../../demo/books.ts';
import { ALWAYS, type PlannedEvent } from '../../../demo/plan.ts';

const event = (id: string, amount: number, failures = 0): PlannedEvent => ({
  source: 'stripe',
  id,
  account: 'cus_1',
  amount,
  copies: 1,
  failures,
  refusals: 0,
  crash: undefined,
  zombie: false,
});
const events = [event('evt_1', 5), event('evt_2', 7), event('evt_3', 11, ALWAYS)];
const bodyOf = (amount: number): ReadonlySet<string> => new Set([JSON.stringify({ account: 'cus_1', amount })]);
const account = { accountId: 'cus_1', balance: 12, entries: 2, receipts: 2 };
const inbox = [
  { id: 'stripe#evt_1', status: 'processed' },
  { id: 'stripe#evt_2', status: 'processed' },
  { id: 'stripe#evt_3', status: 'parked' },
  { id: 'outbox:#stripe#evt_1#1', status: 'processed' },
  { id: 'outbox:#stripe#evt_2#1', status: 'processed' },
];
const inboxWithout = (...ids: readonly string[]) => inbox.filter(({ id }) => !ids.includes(id));
const right: Books = {
  accounts: [account],
  outbox: [],
  inbox,
  parked: new Map([['stripe#evt_3', 1]]),
  unconsumed: new Set(),
  sent: new Map([
    ['stripe#evt_1#1', bodyOf(5)],
    ['stripe#evt_2#1', bodyOf(7)],
  ]),
  outsideCalls: new Map(),
};

describe('the audit of a proof run', () => {
  it('finds nothing where every event was applied once or is parked, and every message was consumed once', () => {
    expect(audit(events, right)).toEqual({
      doubleCredits: 0,
      lostCredits: 0,
      parked: 1,
      lostEvents: 0,
      emitted: 2,
      consumed: 2,
      doubleConsumed: 0,
      lostMessages: 0,
      violations: [],
    });
  });

  it('does not mind that a copy of a consumed message was given up', () => {
    expect(audit(events, { ...right, unconsumed: new Set(['stripe#evt_1#1']) })).toMatchObject({ violations: [] });
  });

  it('takes an event that was applied after it was parked for a committed one', () => {
    const parked = new Map([...right.parked, ['stripe#evt_2', 2] as const]);

    expect(audit(events, { ...right, parked })).toMatchObject({ parked: 1, emitted: 2, violations: [] });
  });

  it.each<[string, Partial<Books>, object]>([
    ['a credit too many', { accounts: [{ ...account, balance: 17, entries: 3 }] }, { doubleCredits: 1 }],
    ['a credit too few', { accounts: [{ ...account, balance: 5, entries: 1 }] }, { lostCredits: 1 }],
    ['one twice and one never', { accounts: [{ ...account, balance: 10 }] }, { doubleCredits: 0, lostCredits: 0 }],
    [
      'an account that nobody owes anything',
      { accounts: [account, { accountId: 'x', balance: 1, entries: 1 }] },
      { doubleCredits: 1 },
    ],
    ['a receipt too many', { accounts: [{ ...account, receipts: 3 }] }, { doubleConsumed: 1 }],
    ['a receipt too few', { accounts: [{ ...account, receipts: 1 }] }, { doubleConsumed: 0, lostMessages: 0 }],
    ['an event that was never sent', { parked: new Map([...right.parked, ['stripe#evt_9', 1]]) }, { parked: 1 }],
    [
      'a parked event whose row says otherwise',
      { inbox: [...inboxWithout('stripe#evt_3'), { id: 'stripe#evt_3', status: 'failed' }] },
      { parked: 1 },
    ],
    [
      'a message of no event',
      { sent: new Map([...right.sent, ['stripe#evt_9#1', bodyOf(1)]]) },
      { emitted: 2, consumed: 2 },
    ],
    [
      'a message with another content',
      { sent: new Map([...right.sent, ['stripe#evt_1#1', bodyOf(6)]]) },
      { emitted: 2, consumed: 2 },
    ],
    ['a message that was consumed and never sent', { sent: new Map([['stripe#evt_1#1', bodyOf(5)]]) }, { consumed: 2 }],
    ['a message that is still owed', { outbox: [{ id: 'stripe#evt_1#1', state: 'stuck' }] }, { lostMessages: 0 }],
    ['a call to the outside that no event made', { outsideCalls: new Map([['key', 1]]) }, {}],
  ])('finds %s', (_case, wrong, expected) => {
    const found = audit(events, { ...right, ...wrong });

    expect(found.violations).toHaveLength(1);
    expect(found).toMatchObject(expected);
  });

  it('finds an event that is neither committed nor in the dead-letter queue', () => {
    expect(audit(events, { ...right, parked: new Map() })).toMatchObject({ parked: 0, lostEvents: 1, lostCredits: 1 });
  });

  it('finds an event that is still claimed, and misses neither its message nor its credit', () => {
    const claimed = { id: 'stripe#evt_2', status: 'claimed' };
    const found = audit(events, {
      ...right,
      accounts: [{ ...account, balance: 5, entries: 1, receipts: 1 }],
      inbox: [...inboxWithout('stripe#evt_2', 'outbox:#stripe#evt_2#1'), claimed],
      sent: new Map([['stripe#evt_1#1', bodyOf(5)]]),
    });

    expect(found).toMatchObject({ lostEvents: 1, lostCredits: 1, emitted: 1, consumed: 1, lostMessages: 0 });
  });

  it('finds a message that never came to the queue', () => {
    const found = audit(events, {
      ...right,
      accounts: [{ ...account, receipts: 1 }],
      inbox: inboxWithout('outbox:#stripe#evt_2#1'),
    });

    expect(found).toMatchObject({ emitted: 2, consumed: 1, lostMessages: 1, doubleConsumed: 0 });
    expect(found.violations).toEqual([expect.stringContaining('stripe#evt_2#1')]);
  });

  it('finds a message that its consumer gave up, which is not lost', () => {
    const found = audit(events, {
      ...right,
      accounts: [{ ...account, receipts: 1 }],
      inbox: inboxWithout('outbox:#stripe#evt_2#1'),
      unconsumed: new Set(['stripe#evt_2#1']),
    });

    expect(found).toMatchObject({ consumed: 1, lostMessages: 0 });
    expect(found.violations).toHaveLength(1);
  });

  it('finds an event committed whose handler always fails', () => {
    const found = audit([event('evt_1', 5), event('evt_2', 7, ALWAYS)], { ...right, parked: new Map() });

    expect(found.violations).toEqual([expect.stringContaining('always fails')]);
  });
});
