import { describe, expect, it } from 'vitest';
import type { MessageHandler } from '../../../lambda/authoring/once-consumer.ts';
import type { Work } from '../../../lambda/core/handler.ts';
import { inboxKey, sha256Hex } from '../../../lambda/core/inbox-key.ts';
import { toIso } from '../../../lambda/core/time.ts';
import { Permanent, RetryLater } from '../../../lambda/oncehook.ts';
import { TABLES } from '../../support/dynamodb-stage.ts';
import { T0 } from '../../support/manual-clock.ts';
import { lostAnswer, sdkError } from '../../support/protocol.ts';
import { aConsumer, addAmount, ID } from './a-consumer.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const throwing =
  (error: unknown): MessageHandler<never> =>
  async () => {
    throw error;
  };

/** Fails for the given amounts, and adds the others. */
const failingFor =
  (...amounts: readonly number[]): MessageHandler<{ readonly amount: number }> =>
  async (message, work) => {
    if (amounts.includes(message.payload.amount)) throw new Error('boom');
    return addAmount(message, work);
  };

describe('a consumed message', () => {
  it('is applied once, however many copies of it come', async () => {
    const { put, round, kinds, balance, queue } = await aConsumer(addAmount);
    for (let copy = 0; copy < 12; copy += 1) put();

    await round();
    await round();

    expect(await balance()).toBe(5);
    expect(kinds().filter((kind) => kind === 'processed')).toHaveLength(1);
    expect(kinds().filter((kind) => kind === 'duplicate')).toHaveLength(11);
    expect(queue.waiting).toEqual([]);
  });

  it('is applied once by concurrent copies, and one that cannot wait comes again after the lease', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { put, consume, queue, clock, round, kinds, balance } = await aConsumer(async (message, work) => {
      begin();
      await gate;
      return addAmount(message, work);
    });
    put();
    put();
    const [first, second] = queue.receive().Records;

    const running = consume({ Records: [first] });
    await begun;
    const copy = await consume({ Records: [second] });
    open();
    expect(await running).toEqual({ batchItemFailures: [] });
    queue.settle([{ messageId: first?.messageId ?? '' }], []);

    expect(copy.batchItemFailures).toEqual([{ itemIdentifier: second?.messageId }]);
    // The lease: what is left of the invocation, and a second.
    expect(queue.hides).toEqual([{ id: ID, ms: 36_000 }]);
    clock.advance(36_000);
    await round();
    expect(kinds()).toEqual(['in-progress', 'processed', 'duplicate']);
    expect(await balance()).toBe(5);
  });

  it('reaches the handler as it was emitted, with all its digits', async () => {
    const seen: unknown[] = [];
    const { put, round, balance } = await aConsumer(async (message, work) => {
      seen.push(message);
      return addAmount(message, work);
    });
    put({ group: 'acct-1', payload: '{"amount":9007199254740993}' });

    await round();

    expect(seen).toEqual([
      { id: ID, topic: 'receipt.requested', group: 'acct-1', payload: { amount: 9_007_199_254_740_993n } },
    ]);
    expect(await balance()).toBe(9_007_199_254_740_993n);
  });

  it('has a key that no event of a source can have', async () => {
    const { put, round, rows, stage, kinds } = await aConsumer(addAmount);
    await stage.put('inbox', { id: inboxKey('outbox', ID), status: 'somebody else' });
    put();

    await round();

    expect((await rows()).map(({ id }) => id)).toContain(`outbox:#${ID}`);
    expect(kinds()).toEqual(['processed']);
  });

  it.each([
    [256, (id: string) => id],
    [257, (id: string) => `sha256_${sha256Hex(id)}`],
  ])('with an id of %d bytes is remembered by a bounded one, and keeps its own', async (length, toEventId) => {
    const ids: string[] = [];
    const { put, round, rows, kinds } = await aConsumer(async ({ id }) => void ids.push(id));
    const id = `${'x'.repeat(length - 4)}#1#1`;
    put({ id });
    put({ id });

    await round();

    expect(ids).toEqual([id]);
    expect(kinds()).toEqual(['processed', 'duplicate']);
    expect(await rows()).toMatchObject([{ id: `outbox:#${toEventId(id)}` }]);
  });

  it('cannot be written to the inbox by its handler', async () => {
    const { put, round, queue } = await aConsumer(async (_message, work) =>
      work.write({ Put: { TableName: TABLES.inbox, Item: { id: 'bazaar#evt_1' } } }),
    );
    put();

    await round();

    expect(queue.deadLetters).toMatchObject([{ attributes: { reason: 'permanent' } }]);
  });

  it('cannot emit one: the type has no emit, and a cast finds a clear refusal', async () => {
    const { put, round, ended, queue, stage } = await aConsumer(async (_message, work) =>
      (work as Work).emit('again', {}),
    );
    put();

    await round();

    expect(ended).toMatchObject([
      {
        outcome: {
          kind: 'parked',
          error: { message: expect.stringContaining('a consumer of the outbox queue cannot') },
        },
      },
    ]);
    expect(queue.deadLetters).toHaveLength(1);
    expect(await stage.items('outbox')).toEqual([]);
  });
});

describe('a batch', () => {
  const five = [1, 2, 3, 4, 5].map((n) => ({ id: `s#e${n}#1`, payload: `{"amount":${10 ** n}}` }));

  it('of five of which the third fails keeps the third', async () => {
    const { put, round, queue, balance, clock } = await aConsumer(failingFor(1000));
    for (const message of five) put(message);

    await round();

    expect(await balance()).toBe(110_110);
    expect(queue.waiting.map(({ attributes }) => attributes['id'])).toEqual(['s#e3#1']);
    // Full jitter: a random 0.5 of the 30 s that follow the first attempt.
    expect(queue.hides).toEqual([{ id: 's#e3#1', ms: 15_000 }]);
    clock.advance(14_999);
    expect(queue.receive().Records).toEqual([]);
  });

  it('holds a FIFO group in its order after a failure, and no other group', async () => {
    const applied: number[] = [];
    let failures = 2;
    const { put, round, queue, clock, balance } = await aConsumer(
      async (message: { readonly payload: { readonly amount: number } } & Parameters<typeof addAmount>[0], work) => {
        if (message.payload.amount === 100 && failures-- > 0) throw new Error('boom');
        applied.push(message.payload.amount);
        return addAmount(message, work);
      },
      { isFifo: true },
    );
    for (const [n, message] of five.entries()) put({ ...message, group: n === 3 ? 'other' : 'one' });
    put({ id: 's#e6#1', payload: '{"amount":7}', group: 'one' });

    // e2 fails: e3, e5 and e6 are behind it, e4 is of another group.
    const kept = await round();

    expect(kept).toEqual(['message-2', 'message-3', 'message-5', 'message-6']);
    expect(applied).toEqual([10, 10_000]);
    expect(queue.receive().Records).toEqual([]);

    // Nothing but the failed one is hidden, so its wait is the group's.
    clock.advance(15_000);
    await round();
    clock.advance(30_000);
    await round();
    expect(applied).toEqual([10, 10_000, 100, 1000, 100_000, 7]);
    expect(queue.waiting).toEqual([]);
    expect(await balance()).toBe(111_117);
  });

  it('leaves what there is no time for, without claiming it', async () => {
    const { put, round, rows, queue, kinds } = await aConsumer(addAmount);
    put();

    await round(1999);

    expect(kinds()).toEqual(['too-little-time']);
    expect(await rows()).toEqual([]);
    expect(queue.hides).toEqual([{ id: ID, ms: 5000 }]);
  });
});

describe('a message that fails', () => {
  it('five times is in the DLQ with its reason, by the consumer and not by SQS, and its row is parked', async () => {
    const { put, round, clock, queue, rows } = await aConsumer(throwing(new Error('boom')));
    put({ group: 'acct-1' });

    for (let n = 0; n < 5; n += 1) {
      await round();
      clock.advance(HOUR);
    }

    expect(queue.waiting).toEqual([]);
    expect(queue.hides.map(({ ms }) => ms)).toEqual([15_000, 30_000, 60_000, 120_000]);
    expect(queue.deadLetters).toMatchObject([
      {
        by: 'consumer',
        body: '{"amount":5}',
        attributes: {
          id: ID,
          topic: 'receipt.requested',
          group: 'acct-1',
          createdAt: toIso(T0),
          reason: 'max-attempts',
        },
      },
    ]);
    expect(await rows()).toMatchObject([{ status: 'parked', attempts: 5, failures: 5 }]);
  });

  it('fewer times than it was received is moved by SQS, and a redrive applies it', async () => {
    let isBroken = true;
    const { put, round, clock, queue, rows, balance } = await aConsumer(async (message, work) => {
      if (isBroken) throw new Error('boom');
      return addAmount(message, work);
    });
    put();
    await round(0);
    for (let n = 0; n < 5; n += 1) {
      clock.advance(HOUR);
      await round();
    }
    expect(queue.deadLetters).toMatchObject([{ by: 'queue', attributes: { id: ID } }]);
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 4 }]);

    isBroken = false;
    put({ attributes: queue.deadLetters[0]?.attributes ?? {} });
    await round();

    expect(await balance()).toBe(5);
  });

  it('for good is in the DLQ first, then parked, then done', async () => {
    const order: string[] = [];
    const { put, round, queue, stage } = await aConsumer(throwing(new Permanent('no such account')));
    put();
    const note = (name: string): undefined => {
      order.push(name);
    };
    queue.before = note;
    stage.intercept(({ name }) => note(name));

    const kept = await round();

    expect(order).toEqual(['PutItemCommand', 'SendMessageCommand', 'UpdateItemCommand']);
    expect(kept).toEqual([]);
    expect(queue.deadLetters).toMatchObject([{ attributes: { id: ID, reason: 'permanent' } }]);
  });

  it.each([
    ['the DLQ', 'SendMessageCommand'],
    ['the parking', 'UpdateItemCommand'],
  ])('for good is not lost when the process dies before %s', async (_before, dying) => {
    let isBroken = true;
    const { put, queue, stage, clock, round, rows, balance, consume } = await aConsumer(async (message, work) => {
      if (isBroken) throw new Permanent('no such account');
      return addAmount(message, work);
    });
    put();
    // A request that is never sent is what a killed process leaves.
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    const dieBefore = (name: string): Promise<never> | undefined => {
      if (name !== dying) return undefined;
      die();
      return never;
    };
    queue.before = dieBefore;
    stage.intercept(({ name }) => {
      const wait = dieBefore(name);
      return wait === undefined ? undefined : { wait };
    });
    void consume(queue.receive());
    await died;
    stage.intercept(undefined);
    queue.before = () => undefined;
    expect(queue.waiting).toHaveLength(1);

    clock.advance(180_000);
    await round();

    expect(queue.waiting).toEqual([]);
    expect(queue.deadLetters.length).toBeGreaterThanOrEqual(1);
    expect(await rows()).toMatchObject([{ status: 'parked' }]);
    isBroken = false;
    for (const { attributes } of queue.deadLetters) put({ attributes });
    await round();
    expect(await balance()).toBe(5);
  });

  it('for good stays when the DLQ does not take it, and is parked later', async () => {
    const { put, round, queue, rows, clock } = await aConsumer(throwing(new Permanent('no')));
    put();
    queue.before = (command) => (command === 'SendMessageCommand' ? sdkError('ServiceUnavailable') : undefined);

    await round();

    expect(queue.waiting).toHaveLength(1);
    expect(await rows()).toMatchObject([{ status: 'failed' }]);
    queue.before = () => undefined;
    clock.advance(HOUR);
    await round();
    expect(queue.deadLetters).toMatchObject([{ attributes: { reason: 'permanent' } }]);
    expect(await rows()).toMatchObject([{ status: 'parked' }]);
  });

  it('for good again after a redrive is in a FIFO DLQ again, within the five minutes of SQS', async () => {
    const { put, round, queue } = await aConsumer(throwing(new Permanent('no')), { isFifo: true });
    put({ group: 'one' });
    await round();
    put({ attributes: queue.deadLetters[0]?.attributes ?? {}, group: 'one' });

    await round();

    expect(queue.deadLetters).toMatchObject([{ groupId: 'one' }, { groupId: 'one' }]);
    expect(new Set(queue.deadLetters.map(({ deduplicationId }) => deduplicationId)).size).toBe(2);
  });
});

describe('a message whose handler asks for later', () => {
  it('waits so long, and that is no attempt', async () => {
    const { put, round, queue, rows } = await aConsumer(throwing(new RetryLater(90, 'not yet')));
    put();

    await round();

    expect(queue.hides).toEqual([{ id: ID, ms: 90_000 }]);
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 0, failures: 0 }]);
  });

  it('waits as long as SQS hides it, and a day in all', async () => {
    const { put, round, queue, clock } = await aConsumer(throwing(new RetryLater(86_400, 'tomorrow')));
    put();

    for (const hidden of [1, 2]) {
      await round();
      expect(queue.hides).toHaveLength(hidden);
      expect(queue.hides.at(-1)?.ms).toBe(12 * HOUR - 15 * MINUTE);
      clock.advance(12 * HOUR - 15 * MINUTE);
    }
    await round();

    expect(queue.deadLetters).toMatchObject([{ attributes: { reason: 'retry-later-too-long' } }]);
  });
});

describe('a message that may be older than the window', () => {
  it.each([
    [14 * DAY - HOUR - 1, 'processed'],
    [14 * DAY - HOUR, 'expired'],
  ])('%d ms after its commit is %s', async (age, outcome) => {
    const { put, clock, round, kinds, queue, balance } = await aConsumer(addAmount);
    put();
    clock.advance(age);

    await round();

    expect(kinds()).toEqual([outcome]);
    expect(queue.deadLetters.map(({ attributes }) => attributes['reason'])).toEqual(
      outcome === 'expired' ? ['expired'] : [],
    );
    expect(await balance()).toBe(outcome === 'expired' ? undefined : 5);
    expect(queue.waiting).toEqual([]);
  });

  it('is not taken for a new one when its copy is sent, or redriven, after the row is gone', async () => {
    const { put, clock, round, kinds } = await aConsumer(addAmount);
    clock.advance(15 * DAY);
    put({ attributes: { id: ID, topic: 't', createdAt: toIso(T0) } });

    await round();

    expect(kinds()).toEqual(['expired']);
  });

  it('is a duplicate while its row is there', async () => {
    const { put, clock, round, kinds, balance, queue } = await aConsumer(addAmount);
    put();
    clock.advance(13 * DAY);
    await round();
    put({ attributes: { id: ID, topic: 't', createdAt: toIso(T0) } });
    clock.advance(5 * DAY);

    await round();

    expect(kinds()).toEqual(['processed', 'duplicate']);
    expect(await balance()).toBe(5);
    expect(queue.deadLetters).toEqual([]);
  });

  it('is applied when somebody has decided so, which holds for this one time', async () => {
    let isBroken = true;
    const { put, clock, round, queue, balance } = await aConsumer(async (message, work) => {
      if (isBroken) throw new Permanent('no');
      return addAmount(message, work);
    });
    clock.advance(15 * DAY);
    const attributes = { id: ID, topic: 't', createdAt: toIso(T0) };
    put({ attributes: { ...attributes, force: 'true' } });

    await round();
    expect(queue.deadLetters).toEqual([
      expect.objectContaining({ attributes: { ...attributes, reason: 'permanent' } }),
    ]);

    isBroken = false;
    put({ attributes: { ...attributes, force: 'true' } });
    await round();
    expect(await balance()).toBe(5);
  });

  it('is told by the sending where the commit is not known', async () => {
    const { put, clock, round, kinds } = await aConsumer(addAmount);
    put({ attributes: { id: ID, topic: 't' } });
    put({ attributes: { id: 's#other#1', topic: 't', createdAt: 'yesterday' } });
    clock.advance(14 * DAY);

    await round();

    expect(kinds()).toEqual(['expired', 'expired']);
  });
});

describe('a message that cannot be read', () => {
  it.each([
    ['without an id', '{}', { topic: 't' }],
    ['without a topic', '{}', { id: ID }],
    ['that is no JSON', 'secret-of-theirs', { id: ID, topic: 't' }],
  ])(
    '%s stays, is warned of without its payload, and goes to the DLQ by itself',
    async (_what, payload, attributes) => {
      const { put, round, queue, clock, warnings, rows } = await aConsumer(addAmount);
      put({ payload, attributes });

      for (let n = 0; n < 6; n += 1) {
        await round();
        clock.advance(180_000);
      }

      expect(warnings).toHaveLength(5);
      expect(warnings.join()).not.toContain('secret-of-theirs');
      expect(queue.hides).toEqual([]);
      expect(await rows()).toEqual([]);
      expect(queue.deadLetters).toMatchObject([{ by: 'queue', body: payload }]);
    },
  );
});

describe('while DynamoDB does not answer', () => {
  it('a message waits past its own lease and then longer with every receive, for more than an hour in all', async () => {
    const { put, round, queue, clock, stage, kinds, balance } = await aConsumer(addAmount);
    put();
    stage.intercept(() => ({ before: lostAnswer() }));

    for (let n = 0; n < 4; n += 1) {
      await round();
      clock.advance(queue.hides.at(-1)?.ms ?? 0);
    }

    expect(kinds()).toEqual(['store-down', 'store-down', 'store-down', 'store-down']);
    expect(queue.hides.map(({ ms }) => ms)).toEqual([36_000, 91_000, 751_000, 3_631_000]);
    stage.intercept(undefined);
    await round();
    expect(await balance()).toBe(5);
  });

  it('a claim whose answer was lost is waited for', async () => {
    const { put, round, queue, clock, stage, balance } = await aConsumer(addAmount);
    put();
    stage.intercept(({ name }) => (name === 'PutItemCommand' ? { after: lostAnswer() } : undefined));
    await round();
    stage.intercept(undefined);

    clock.advance(queue.hides.at(-1)?.ms ?? 0);
    await round();

    expect(await balance()).toBe(5);
  });
});
