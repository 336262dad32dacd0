import { describe, expect, it } from 'vitest';
import { days, epochMs, hours, plus } from '../../lambda/core/time.ts';
import { dynamoStages } from '../support/dynamodb-stage.ts';
import { anEvent } from '../support/events.ts';
import { T0 } from '../support/manual-clock.ts';
import { createProtocol, credit, type Protocol, type ProtocolOptions, sdkError } from '../support/protocol.ts';

const never = (): Promise<never> => new Promise(() => {});

describe.each(dynamoStages)('claiming over %s', (_name, makeStage) => {
  const make = async (options?: ProtocolOptions): Promise<Protocol> => createProtocol(await makeStage(), options);

  /** A worker that claims and dies in its handler. */
  const dieInHandler = async (protocol: Protocol, event = anEvent()): Promise<void> => {
    const { promise: started, resolve } = Promise.withResolvers<void>();
    void protocol.process(event, async () => {
      resolve();
      return never();
    });
    await started;
  };

  it('applies a new event in two round trips and a copy of it in one', async () => {
    const { stage, process } = await make();

    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
    expect(stage.calls.map((call) => call.name)).toEqual(['PutItemCommand', 'TransactWriteItemsCommand']);

    expect(await process(anEvent(), credit())).toEqual({ kind: 'duplicate', bodyMismatch: false });
    expect(stage.calls.map((call) => call.name)).toEqual([
      'PutItemCommand',
      'TransactWriteItemsCommand',
      'PutItemCommand',
    ]);
  });

  it('commits an event that writes nothing with a plain update', async () => {
    const { stage, process } = await make();

    await process(anEvent(), async () => undefined);

    expect(stage.calls.map((call) => call.name)).toEqual(['PutItemCommand', 'UpdateItemCommand']);
  });

  it('acknowledges a type without a handler and makes no request', async () => {
    const { stage, process } = await make();

    expect(await process(anEvent(), undefined)).toEqual({ kind: 'ignored' });
    expect(stage.calls).toEqual([]);
  });

  it('applies one of twenty concurrent copies, and the others wait for it', async () => {
    const { stage, process } = await make();

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => process(anEvent(), credit())));

    expect(outcomes.filter((outcome) => outcome.kind === 'processed')).toHaveLength(1);
    expect(outcomes.every((outcome) => ['processed', 'duplicate', 'in-progress'].includes(outcome.kind))).toBe(true);
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500, entries: 1 }]);
    expect(await stage.items('outbox')).toHaveLength(1);
  });

  it('keeps two sources with one event id apart', async () => {
    const { stage, process } = await make();

    await process(anEvent({ source: 'one' }), credit());
    const outcome = await process(anEvent({ source: 'two' }), credit());

    expect(outcome.kind).toBe('processed');
    expect(await stage.items('inbox')).toHaveLength(2);
  });

  it('knows its own claim when the answer to the put was lost and the SDK sent it again', async () => {
    const { stage, process } = await make();
    const [row] = await (async () => {
      const probe = await make();
      await dieInHandler(probe);
      return probe.stage.rawItems('inbox');
    })();
    stage.intercept(({ name, input }) => {
      if (name !== 'PutItemCommand') return undefined;
      const item = 'Item' in input ? input.Item : row;
      return { after: sdkError('ConditionalCheckFailedException', { Item: item }) };
    });

    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
  });

  it('refuses a dead worker’s event before its lease ends and takes it over at the end', async () => {
    const protocol = await make({ joinMs: 0 });
    const { stage, process, clock } = protocol;
    await dieInHandler(protocol);

    clock.advance(10_999);
    expect(await process(anEvent(), credit())).toEqual({ kind: 'in-progress', retryAfterSeconds: 1 });

    clock.advance(1);
    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 2 });
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500, entries: 1 }]);
  });

  it('gives a lease as long as the invocation can still live, and one second', async () => {
    const protocol = await make();

    await protocol.process(
      anEvent(),
      async () => {
        const [row] = await protocol.stage.items('inbox');
        expect(row?.['leaseUntilMs']).toBe(T0 + 4321 + 1000);
        return undefined;
      },
      { remainingMs: 4321 },
    );

    expect.assertions(1);
  });

  it.each([
    [1999, 'too-little-time'],
    [2000, 'processed'],
    [0, 'too-little-time'],
  ])('with %d ms left answers %s', async (remainingMs, expected) => {
    const { stage, process } = await make();

    expect((await process(anEvent(), credit(), { remainingMs })).kind).toBe(expected);
    expect((await stage.items('inbox')).length).toBe(expected === 'processed' ? 1 : 0);
  });

  describe('a copy of a running event', () => {
    it('is a duplicate when the running one finishes meanwhile', async () => {
      const { stage, process, clock } = await make();
      const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>();
      const { promise: started, resolve: start } = Promise.withResolvers<void>();
      const first = process(anEvent(), async (event, work) => {
        start();
        await mayFinish;
        return credit()(event, work);
      });
      await started;
      clock.onWait = async () => {
        finish();
        await first;
      };

      expect(await process(anEvent(), credit())).toMatchObject({ kind: 'duplicate' });
      expect(await first).toMatchObject({ kind: 'processed' });
      expect(await stage.items('outbox')).toHaveLength(1);
    });

    it('claims again, once, when the running one fails meanwhile', async () => {
      const { process, clock } = await make();
      const { promise: started, resolve: start } = Promise.withResolvers<void>();
      const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
      const first = process(anEvent(), async () => {
        start();
        await mayFail;
        throw new Error('boom');
      });
      await started;
      clock.onWait = async () => {
        fail();
        await first;
      };

      expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 2 });
    });

    it('waits its budget and no longer, then names the lease that is left', async () => {
      const protocol = await make({ joinMs: 1500 });
      await dieInHandler(protocol);

      const outcome = await protocol.process(anEvent(), credit());

      expect(outcome).toEqual({ kind: 'in-progress', retryAfterSeconds: 10 });
      expect(protocol.clock.waits.reduce((sum, wait) => sum + wait, 0)).toBe(1500);
    });

    it('never waits longer than a third of what the provider waits', async () => {
      const protocol = await make({ joinMs: 1500 });
      await dieInHandler(protocol);

      await protocol.process(anEvent(), credit(), { deadline: 3000 as never });

      expect(protocol.clock.waits.reduce((sum, wait) => sum + wait, 0)).toBe(1000);
    });

    it('joins when a transaction holds the row', async () => {
      const { stage, process } = await make();
      await process(anEvent(), credit());
      let refused = false;
      stage.intercept(({ name }) => {
        if (name !== 'PutItemCommand' || refused) return undefined;
        refused = true;
        return { before: sdkError('TransactionConflictException') };
      });

      expect(await process(anEvent(), credit())).toMatchObject({ kind: 'duplicate' });
    });
  });

  it('asks the sender to come back when the row changes hands at every look', async () => {
    const { stage, process } = await make({ joinMs: 0 });
    await process(anEvent(), async () => {
      throw new Error('boom');
    });
    const [row] = await stage.rawItems('inbox');
    let thief = 0;
    stage.intercept(({ name }) => {
      if (name !== 'UpdateItemCommand') return undefined;
      thief += 1;
      return {
        before: sdkError('ConditionalCheckFailedException', { Item: { ...row, claimToken: { S: `thief-${thief}` } } }),
      };
    });

    expect(await process(anEvent(), credit())).toEqual({ kind: 'claim-lost' });
    expect(thief).toBe(3);
  });

  it.each(['parked', 'cleared'])('begins the attempts anew for a %s row', async (status) => {
    const { stage, process } = await make();
    await process(anEvent(), async () => {
      throw new Error('boom');
    });
    const [row] = await stage.items('inbox');
    await stage.put('inbox', { ...row, status, attempts: 5, failures: 4 });

    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
    expect((await stage.items('inbox'))[0]).toMatchObject({ attempts: 1, failures: 0 });
  });

  it('flags a duplicate with another body and applies nothing of it', async () => {
    const { stage, process, warnings } = await make();
    await process(anEvent(), credit(10));

    const outcome = await process(anEvent({ rawBody: Buffer.from('{"amount":99}') }), credit(99));

    expect(outcome).toEqual({ kind: 'duplicate', bodyMismatch: true });
    expect(warnings.map((warning) => warning.message)).toEqual([
      'a duplicate came with another body; the first one counts',
    ]);
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 10, entries: 1 }]);
  });

  it('applies one of two bodies that come at once under one id, and flags the other', async () => {
    const { stage, process } = await make();

    const outcomes = await Promise.all(
      [10, 99].map((amount) => process(anEvent({ rawBody: Buffer.from(`{"amount":${amount}}`) }), credit(amount))),
    );

    const [first] = outcomes.flatMap(({ kind }, n) => (kind === 'processed' ? [n === 0 ? 10 : 99] : []));
    expect(outcomes.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
      { kind: 'duplicate', bodyMismatch: true },
      { kind: 'processed', attempt: 1 },
    ]);
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: first, entries: 1 }]);
  });

  describe('age', () => {
    const window = days(14);
    const old = (age: number) => anEvent({ occurredAt: plus(T0, -age) });

    it('applies an event one millisecond younger than the window less an hour', async () => {
      const { process } = await make({ window });

      expect((await process(old(window - hours(1) - 1), credit())).kind).toBe('processed');
    });

    it('does not apply an event of that age that it has no memory of', async () => {
      const { stage, process } = await make({ window });

      expect(await process(old(window - hours(1)), credit())).toEqual({ kind: 'expired' });
      expect(await stage.items('inbox')).toEqual([]);
      expect(stage.calls.map((call) => call.name)).toEqual(['GetItemCommand']);
    });

    it('still knows an old event as a duplicate while its row is there', async () => {
      const { process, clock } = await make({ window });
      await process(old(window - hours(2)), credit());
      clock.advance(hours(2));

      expect((await process(old(window - hours(2)), credit())).kind).toBe('duplicate');
    });

    it('takes over the failed row of an old event: its presence proves that nothing was applied', async () => {
      const { process, clock } = await make({ window });
      await process(anEvent(), async () => {
        throw new Error('boom');
      });
      clock.advance(days(30));

      expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 2 });
    });

    it('treats a finished row past its window as absent, however late TTL deletes it', async () => {
      const { stage, process, clock } = await make({ window });
      await process(anEvent(), credit());
      clock.advance(window + 1000);
      const later = anEvent({ receivedAt: clock.now() });

      expect((await process(later, credit())).kind).toBe('processed');
      expect((await process(later, credit())).kind).toBe('duplicate');
      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 1000, entries: 2 }]);
    });

    it('does not apply an old event whose memory has passed its window', async () => {
      const { process, clock } = await make({ window });
      await process(anEvent({ occurredAt: T0 }), credit());
      clock.advance(window + 1000);

      expect(await process(anEvent({ occurredAt: T0, receivedAt: clock.now() }), credit())).toEqual({
        kind: 'expired',
      });
    });

    it('remembers for ever when the window is forever', async () => {
      const { stage, process, clock } = await make({ window: 'forever' });
      await process(anEvent({ occurredAt: epochMs(0) }), credit());
      clock.advance(days(3650));

      expect((await process(anEvent({ occurredAt: epochMs(0), receivedAt: clock.now() }), credit())).kind).toBe(
        'duplicate',
      );
      expect((await stage.items('inbox'))[0]).not.toHaveProperty('expiresAt');
    });

    it('renews the memory at the commit', async () => {
      const { stage, process, clock } = await make({ window });

      await process(anEvent(), async () => {
        clock.advance(5000);
        return undefined;
      });

      expect((await stage.items('inbox'))[0]).toMatchObject({ expiresAt: (T0 + 5000 + window) / 1000 });
    });
  });

  it.each([
    ['throttled', 'ThrottlingException', 'STORE_THROTTLED'],
    ['silent', 'TimeoutError', 'STORE_UNAVAILABLE'],
    ['closed to the function', 'AccessDeniedException', 'STORE_MISCONFIGURED'],
  ])('writes nothing when the store is %s, and applies the redelivery', async (_case, name, reason) => {
    const { stage, process } = await make();
    stage.intercept(() => ({ before: sdkError(name) }));
    expect(await process(anEvent(), credit())).toEqual({ kind: 'store-down', reason });
    stage.intercept(undefined);
    expect(await stage.items('inbox')).toEqual([]);

    expect((await process(anEvent(), credit())).kind).toBe('processed');
  });
});
