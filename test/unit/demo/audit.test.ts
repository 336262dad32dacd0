import { describe, expect, it } from 'vitest';
import { audit, type Books } from '../../../demo/audit.ts';
import { createChance } from '../../../demo/chance.ts';
import { CRASH_ROWS } from '../../../demo/crash-rows.ts';
import { fullSize, LEAST_EVENTS, type PlannedEvent, planRun } from '../../../demo/plan.ts';

const event = (id: string, amount: number): PlannedEvent => ({
  source: 'stripe',
  id,
  account: 'cus_1',
  amount,
  copies: 1,
  failsFirst: false,
  crash: undefined,
  zombie: false,
});
const events = [event('evt_1', 5), event('evt_2', 7)];
const message = (id: string, amount: number) => ({
  id: `stripe#${id}#1`,
  payload: JSON.stringify({ account: 'cus_1', amount }),
});
const right: Books = {
  accounts: [{ accountId: 'cus_1', balance: 12, entries: 2 }],
  outbox: [message('evt_1', 5), message('evt_2', 7)],
  inbox: [
    { id: 'stripe#evt_1', status: 'processed' },
    { id: 'stripe#evt_2', status: 'processed' },
  ],
  outsideCalls: new Map(),
};

describe('the audit of a proof run', () => {
  it('finds nothing where every event was applied once', () => {
    expect(audit(events, right)).toEqual({ doubleCredits: 0, lostCredits: 0, violations: [] });
  });

  it.each<[string, Partial<Books>, object]>([
    [
      'a credit too many',
      { accounts: [{ accountId: 'cus_1', balance: 17, entries: 3 }] },
      { doubleCredits: 1, lostCredits: 0 },
    ],
    [
      'a credit too few',
      { accounts: [{ accountId: 'cus_1', balance: 5, entries: 1 }] },
      { doubleCredits: 0, lostCredits: 1 },
    ],
    [
      'one twice and one never',
      { accounts: [{ accountId: 'cus_1', balance: 10, entries: 2 }] },
      { doubleCredits: 0, lostCredits: 0 },
    ],
    [
      'an account that nobody owes anything',
      { accounts: [...right.accounts, { accountId: 'x', balance: 1, entries: 1 }] },
      { doubleCredits: 1 },
    ],
    ['no account at all', { accounts: [] }, { lostCredits: 2 }],
    ['a message of no event', { outbox: [...right.outbox, message('evt_3', 1)] }, {}],
    ['a message with another content', { outbox: [message('evt_1', 6), message('evt_2', 7)] }, {}],
    ['a message that is missing', { outbox: [message('evt_1', 5)] }, {}],
    [
      'an event that is still claimed',
      { inbox: [{ id: 'stripe#evt_1', status: 'claimed' }, right.inbox[1] ?? {}] },
      {},
    ],
    ['a call to the outside that no event made', { outsideCalls: new Map([['key', 1]]) }, {}],
  ])('finds %s', (_case, wrong, expected) => {
    const found = audit(events, { ...right, ...wrong });

    expect(found.violations).toHaveLength(1);
    expect(found).toMatchObject(expected);
  });
});

describe('the plan of a proof run', () => {
  const plan = planRun(createChance('seed'), fullSize(LEAST_EVENTS));

  it('is the same for the same seed and another for another', () => {
    expect(planRun(createChance('seed'), fullSize(LEAST_EVENTS))).toEqual(plan);
    expect(planRun(createChance('other'), fullSize(LEAST_EVENTS))).not.toEqual(plan);
  });

  it('has more than ten crashes for each row, and an event for each that can have it', () => {
    for (const row of CRASH_ROWS) expect(plan.events.filter(({ crash }) => crash === row).length).toBeGreaterThan(10);
    expect(plan.events.filter(({ crash }) => crash?.includes('step')).every(({ source }) => source === 'bazaar')).toBe(
      true,
    );
    expect(plan.events.filter(({ crash }) => crash?.includes('release')).every(({ failsFirst }) => failsFirst)).toBe(
      true,
    );
  });

  it('sends every event one to six times, from three sources', () => {
    const copies = Map.groupBy(plan.deliveries, ({ id }) => id);

    expect(copies.size).toBe(LEAST_EVENTS);
    expect(new Set([...copies.values()].map((list) => list.length))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(new Set(plan.events.map(({ source }) => source)).size).toBe(3);
  });
});
