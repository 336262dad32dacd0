import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Handler } from '../../../lambda/core/handler.ts';
import { createMemoryStage } from '../../support/dynamodb-stage.ts';
import { anEvent } from '../../support/events.ts';
import { createProtocol, freezeInHandler, lostAnswer } from '../../support/protocol.ts';

const make = async () => createProtocol(await createMemoryStage());

describe('a step', () => {
  it('runs once although the attempt after it failed', async () => {
    const { process, warnings } = await make();
    const keys: string[] = [];
    let attempts = 0;
    const handle: Handler<never> = async (_event, work) => {
      attempts += 1;
      const mail = await work.step('receipt-mail', async (key) => {
        keys.push(key);
        return { id: 'm-1', size: 9_007_199_254_740_993n };
      });
      if (attempts === 1) throw new Error('after the mail');
      return { mail: mail.id, size: mail.size };
    };

    await process(anEvent(), handle);
    const outcome = await process(anEvent(), handle);

    expect(outcome).toEqual({ kind: 'processed', attempt: 2 });
    expect(keys).toEqual([createHash('sha256').update('["bazaar","evt_1","receipt-mail"]').digest('hex')]);
    expect(warnings).toEqual([]);
  });

  it('leaves no trace on the finished row', async () => {
    const { stage, process } = await make();

    await process(anEvent(), async (_event, work) => {
      await work.step('one', async () => 1);
    });

    expect((await stage.items('inbox'))[0]).not.toHaveProperty('steps');
  });

  it('that failed runs again with the same key, and a possible repeat is logged', async () => {
    const { process, warnings } = await make();
    const keys: string[] = [];
    const handle: Handler<never> = async (_event, work) => {
      await work.step('charge', async (key) => {
        keys.push(key);
        if (keys.length === 1) throw new Error('the answer was lost');
      });
    };

    await process(anEvent(), handle);
    await process(anEvent(), handle);

    expect(keys[1]).toBe(keys[0]);
    expect(warnings).toEqual([
      {
        message: 'a step may run a second time: an earlier attempt ended without its record',
        fields: { source: 'bazaar', eventId: 'evt_1', step: 'charge', attempt: 2 },
      },
    ]);
  });

  it('is not run when the remote side says that it was done', async () => {
    const { process, warnings } = await make();
    const asked: string[] = [];
    const handle: Handler<never> = async (_event, work) => {
      const found = await work.step('charge', () => Promise.reject(new Error('must not run')), {
        key: 'event-id',
        alreadyDone: async (key) => {
          asked.push(key);
          return 'charge-7';
        },
      });
      return { found };
    };

    expect((await process(anEvent(), handle)).kind).toBe('processed');
    expect(asked).toEqual(['evt_1']);
    expect(warnings).toEqual([]);
  });

  it('that returns nothing is remembered too', async () => {
    const { process } = await make();
    let runs = 0;
    const handle: Handler<never> = async (_event, work) => {
      await work.step('ping', async () => {
        runs += 1;
      });
      if (work.attempt === 1) throw new Error('boom');
    };

    await process(anEvent(), handle);
    await process(anEvent(), handle);

    expect(runs).toBe(1);
  });

  it.each<[string, string]>([
    ['a blank name', ''],
    ['a name with a space', 'a b'],
    ['a name of 101 characters', 'n'.repeat(101)],
  ])('refuses %s', async (_case, name) => {
    const { process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      await work.step(name, async () => 1);
    });

    expect(outcome).toMatchObject({ kind: 'parked', reason: 'permanent' });
  });

  it('takes a name of 100 characters', async () => {
    const { process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      await work.step('n'.repeat(100), async () => 1);
    });

    expect(outcome.kind).toBe('processed');
  });

  it('refuses a name that is used twice', async () => {
    const { process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      await work.step('mail', async () => 1);
      await work.step('mail', async () => 2);
    });

    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'permanent',
      error: { message: expect.stringContaining('used twice') },
    });
  });

  it.each([
    ['cannot be stored', () => new Date(0), /result is a Date/],
    ['is larger than 32 KB', () => 'x'.repeat(32 * 1024), /at most 32768/],
  ])('refuses a result that %s', async (_case, run, message) => {
    const { process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      await work.step('big', async () => run());
    });

    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'permanent',
      error: { message: expect.stringMatching(message) },
    });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'runs although every object has a %s',
    async (name) => {
      const { process } = await make();
      let runs = 0;

      await process(anEvent(), async (_event, work) => {
        await work.step(name, async () => {
          runs += 1;
        });
      });

      expect(runs).toBe(1);
    },
  );

  it('that found null has been done', async () => {
    const { process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      const found = await work.step<string | null>('charge', () => Promise.reject(new Error('must not run')), {
        alreadyDone: async () => null,
      });
      return { found };
    });

    expect(outcome.kind).toBe('processed');
  });

  it.each([
    5n,
    2n ** 60n,
    1e-7,
    0.1,
    -1.5e-10,
    'text',
    null,
    [1, 'a'],
    { a: { b: [true] } },
    new Set(['x']),
    new Uint8Array([1]),
  ])('gives %s back in the same form on the first and on the next attempt', async (value) => {
    const { process } = await make();
    const seen: unknown[] = [];
    const handle: Handler<never> = async (_event, work) => {
      seen.push(await work.step('one', async () => value as unknown));
      if (work.attempt === 1) throw new Error('boom');
    };

    await process(anEvent(), handle);
    await process(anEvent(), handle);

    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toEqual(value === 5n ? 5 : value);
  });

  it('that still runs when another one fails is waited for, and not run again', async () => {
    const { process } = await make();
    const { promise: slow, resolve: finish } = Promise.withResolvers<void>();
    let runs = 0;
    const handle: Handler<never> = async (_event, work) => {
      const both = [
        work.step('slow', async () => {
          runs += 1;
          await slow;
        }),
        work.step('fast', async () => {
          if (work.attempt === 1) throw new Error('boom');
        }),
      ];
      if (work.attempt === 1) setImmediate(finish);
      await Promise.all(both);
    };

    const first = await process(anEvent(), handle);
    const second = await process(anEvent(), handle);

    expect([first.kind, second.kind, runs]).toEqual(['failed', 'processed', 1]);
  });

  it('that nobody awaited is no commit: its record would come after it', async () => {
    const { stage, process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      work.emit('topic', {});
      void work.step('mail', async () => 1);
    });

    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'permanent',
      error: { message: 'step mail was still running when the handler returned; await it' },
    });
    expect(await stage.items('outbox')).toEqual([]);
  });

  it.each([
    ['a Set of objects', new Set([{}])],
    ['41 digits', 10n ** 40n + 1n],
    ['a number that is too small', 1e-200],
    ['thirty lists inside each other', Array.from({ length: 30 }).reduce<unknown>((inner) => [inner], 'x')],
    ['50 KB in a Set', new Set(Array.from({ length: 5000 }, (_, n) => `member-${n}`))],
  ])('with a result of %s is refused for good, and not called at every redelivery', async (_case, value) => {
    const { process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      await work.step('odd', async () => value as unknown);
    });

    expect(outcome.kind).toBe('parked');
  });

  it('ends the attempt without a release when the claim was taken over meanwhile', async () => {
    const protocol = await make();
    const { stage, process, clock } = protocol;
    // A handler that swallows the error still commits nothing.
    const { outcome: zombie, thaw } = await freezeInHandler(protocol, async (_event, work) => {
      await work.step('late', async () => 1).catch(() => undefined);
    });
    clock.advance(11_000);
    await process(anEvent(), async () => undefined);

    thaw();

    expect(await zombie).toEqual({ kind: 'claim-lost' });
    expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'processed', failures: 0 });
  });

  it('is recorded although the first answer to the record was lost', async () => {
    const { stage, process } = await make();
    let lost = false;
    stage.intercept(({ name }) => {
      if (name !== 'UpdateItemCommand' || lost) return undefined;
      lost = true;
      return { after: lostAnswer() };
    });

    const outcome = await process(anEvent(), async (_event, work) => {
      await work.step('mail', async () => 1);
    });

    expect(outcome.kind).toBe('processed');
  });
});
