import { describe, expect, it } from 'vitest';
import { OncehookError } from '../../../lambda/core/errors.ts';
import { Permanent, RetryLater } from '../../../lambda/core/handler-errors.ts';
import { hours, plus } from '../../../lambda/core/time.ts';
import type { EventContext } from '../../../lambda/process/event-context.ts';
import { createMemoryStage } from '../../support/dynamodb-stage.ts';
import { anEvent } from '../../support/events.ts';
import { T0 } from '../../support/manual-clock.ts';
import { createProtocol, credit, type ProcessOptions, sdkError } from '../../support/protocol.ts';

const MAX_ATTEMPTS = 3;
const make = async () => createProtocol(await createMemoryStage(), { maxAttempts: MAX_ATTEMPTS });
type Made = Awaited<ReturnType<typeof make>>;

const throwing = (error: unknown) => async () => {
  throw error;
};
const down = new OncehookError('QUEUE_UNAVAILABLE', 'send: TimeoutError', { retryable: true });
const refuse: EventContext['park'] = () => Promise.reject(down);

/** An events queue that notes what was asked of it, and what the inbox row said at that moment. */
function aQueue(protocol: Made) {
  const asked: { delay: number; wait: unknown; status: unknown }[] = [];
  const queue: EventContext['queue'] = async (delay, wait) => {
    const [row] = await protocol.stage.items('inbox');
    asked.push({ delay, wait, status: row?.['status'] });
  };
  return { asked, queue };
}

const rowOf = async ({ stage }: Made) => (await stage.items('inbox'))[0];

/** A worker that claimed the event and was killed in its handler: its lease is over. */
async function crash(protocol: Made, options: ProcessOptions = {}): Promise<void> {
  const started = Promise.withResolvers<void>();
  protocol.process(
    anEvent(),
    () => {
      started.resolve();
      return new Promise(() => {});
    },
    options,
  );
  await started.promise;
  protocol.clock.advance(11_001);
}

describe('after a failed attempt', () => {
  it('the event is queued while the claim is still held, and given back after that', async () => {
    const protocol = await make();
    const { asked, queue } = aQueue(protocol);

    const outcome = await protocol.process(anEvent(), throwing(new Error('boom')), { queue });

    expect(outcome).toEqual({
      kind: 'queued',
      because: 'failed',
      attempt: 1,
      error: { name: 'Error', message: 'boom' },
    });
    // Half of the 30 s that may be waited after the first attempt: the test's chance is always one half.
    expect(asked).toEqual([{ delay: 15_000, wait: undefined, status: 'claimed' }]);
    expect(await rowOf(protocol)).toMatchObject({ status: 'failed', attempts: 1, failures: 1 });
  });

  it('the wait doubles with every attempt and is an hour at most', async () => {
    const protocol = createProtocol(await createMemoryStage(), { maxAttempts: 12 });
    const { asked, queue } = aQueue(protocol);

    for (let n = 0; n < 11; n += 1) await protocol.process(anEvent(), throwing(new Error('boom')), { queue });

    expect(asked.map(({ delay }) => delay / 1000)).toEqual([15, 30, 60, 120, 240, 480, 960, 1800, 1800, 1800, 1800]);
  });

  it('a queue that does not take it is no success: the claim is given back and the sender asked', async () => {
    const protocol = await make();

    const outcome = await protocol.process(anEvent(), throwing(new Error('boom')), {
      queue: () => Promise.reject(down),
    });

    expect(outcome).toMatchObject({ kind: 'failed', attempt: 1 });
    expect(await rowOf(protocol)).toMatchObject({ status: 'failed', failures: 1 });
  });

  it('a queued event is safe although its claim could not be given back', async () => {
    const protocol = await make();
    const { queue } = aQueue(protocol);
    protocol.stage.intercept(({ name }) =>
      name === 'UpdateItemCommand' ? { before: sdkError('AccessDeniedException') } : undefined,
    );

    const outcome = await protocol.process(anEvent(), throwing(new Error('boom')), { queue });

    expect(outcome).toMatchObject({ kind: 'queued', because: 'failed' });
    expect(protocol.warnings.map(({ message }) => message)).toContain(
      'the claim could not be given back after a failed attempt',
    );
  });

  it('the last attempt parks it: kept for an operator first, its row marked after that', async () => {
    const protocol = await make();
    const seen: unknown[] = [];
    const park: EventContext['park'] = async (reason, error) => {
      seen.push({ reason, error, status: (await rowOf(protocol))?.['status'] });
    };

    for (let n = 1; n < MAX_ATTEMPTS; n += 1) {
      expect((await protocol.process(anEvent(), throwing(new Error('boom')), { park })).kind).toBe('failed');
    }
    const outcome = await protocol.process(anEvent(), throwing(new Error('boom')), { park });

    expect(outcome).toMatchObject({ kind: 'parked', reason: 'max-attempts', attempt: MAX_ATTEMPTS });
    expect(seen).toEqual([{ reason: 'max-attempts', error: { name: 'Error', message: 'boom' }, status: 'claimed' }]);
    const row = await rowOf(protocol);
    expect(row).toMatchObject({ status: 'parked', attempts: MAX_ATTEMPTS, failures: MAX_ATTEMPTS });
    expect(row?.['attention']).toMatch(/^parked#[0-7]$/);
    expect(row).not.toHaveProperty('expiresAt');
  });

  it('Permanent parks it at the first attempt', async () => {
    const protocol = await make();

    const outcome = await protocol.process(anEvent(), throwing(new Permanent('no customer')));

    expect(outcome).toMatchObject({ kind: 'parked', reason: 'permanent', attempt: 1 });
    expect(protocol.parked).toMatchObject([{ reason: 'permanent', error: { message: 'no customer' } }]);
    expect(await rowOf(protocol)).toMatchObject({ status: 'parked', failures: 1 });
  });

  it('what cannot be kept for an operator is given back and parked by the next attempt', async () => {
    const protocol = await make();

    const first = await protocol.process(anEvent(), throwing(new Permanent('never')), { park: refuse });
    expect(first).toMatchObject({ kind: 'failed' });
    expect(await rowOf(protocol)).toMatchObject({ status: 'failed', failures: 1 });

    const second = await protocol.process(anEvent(), throwing(new Permanent('never')));
    expect(second).toMatchObject({ kind: 'parked' });
  });

  it('a parked event that comes again is a new attempt, the first one', async () => {
    const protocol = await make();
    await protocol.process(anEvent(), throwing(new Permanent('a bug')));

    const outcome = await protocol.process(anEvent(), credit());

    expect(outcome).toEqual({ kind: 'processed', attempt: 1 });
    expect(await rowOf(protocol)).toMatchObject({ status: 'processed', attempts: 1, failures: 0 });
    expect(await rowOf(protocol)).not.toHaveProperty('attention');
  });
});

describe('RetryLater', () => {
  it('is no attempt, and names the moment before which nobody begins', async () => {
    const protocol = await make();
    const { asked, queue } = aQueue(protocol);

    const outcome = await protocol.process(anEvent(), throwing(new RetryLater(60, 'no order yet')), { queue });

    expect(outcome).toMatchObject({ kind: 'queued', because: 'retry-later', attempt: 1 });
    expect(asked).toEqual([
      { delay: 60_000, wait: { notBefore: plus(T0, 60_000), postponedSince: T0 }, status: 'claimed' },
    ]);
    expect(await rowOf(protocol)).toMatchObject({ status: 'failed', attempts: 0, failures: 0 });
  });

  it('never comes to the limit of attempts', async () => {
    const protocol = await make();
    const { queue } = aQueue(protocol);

    for (let n = 0; n < 3 * MAX_ATTEMPTS; n += 1) {
      const outcome = await protocol.process(anEvent(), throwing(new RetryLater(1, 'not yet')), { queue });
      expect(outcome).toMatchObject({ kind: 'queued', attempt: 1 });
    }
    expect(await protocol.process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
  });

  it.each([
    [0, 'queued'],
    [1000, 'parked'],
  ])('reaches to a day after the first one and not %d ms beyond', async (beyond, kind) => {
    const protocol = await make();
    const { queue } = aQueue(protocol);
    const postponedSince = plus(T0, -(hours(24) - 60_000) - beyond);

    const outcome = await protocol.process(anEvent(), throwing(new RetryLater(60, 'not yet')), {
      queue,
      postponedSince,
    });

    expect(outcome.kind).toBe(kind);
    expect(protocol.parked.map(({ reason }) => reason)).toEqual(kind === 'parked' ? ['retry-later-too-long'] : []);
  });
});

describe('an attempt that ends its process', () => {
  it('is counted when it is begun, and parked at the same limit without being begun once more', async () => {
    const protocol = await make();
    let begun = 0;
    for (let n = 0; n < MAX_ATTEMPTS; n += 1) await crash(protocol);

    const outcome = await protocol.process(anEvent(), async () => {
      begun += 1;
    });

    expect(begun).toBe(0);
    expect(outcome).toMatchObject({ kind: 'parked', reason: 'crashes', attempt: MAX_ATTEMPTS + 1 });
    expect(protocol.parked).toMatchObject([{ error: { name: 'Crashed', message: expect.stringContaining('3 of 3') } }]);
    expect(await rowOf(protocol)).toMatchObject({ status: 'parked', failures: 0 });
  });

  it('is not blamed where all attempts threw and the last one could not be parked', async () => {
    const protocol = await make();
    for (let n = 0; n < MAX_ATTEMPTS; n += 1) {
      await protocol.process(anEvent(), throwing(new Error('boom')), { park: refuse });
    }

    const outcome = await protocol.process(anEvent(), credit());

    expect(outcome).toMatchObject({ kind: 'parked', reason: 'max-attempts' });
    expect(await rowOf(protocol)).toMatchObject({ failures: MAX_ATTEMPTS });
  });

  it('counts towards the limit together with those that threw', async () => {
    const protocol = await make();
    await protocol.process(anEvent(), throwing(new Error('boom')));
    await crash(protocol);

    const outcome = await protocol.process(anEvent(), throwing(new Error('boom')));

    expect(outcome).toMatchObject({ kind: 'parked', reason: 'max-attempts' });
    expect(await rowOf(protocol)).toMatchObject({ attempts: 3, failures: 2 });
  });

  it('has its event queued before the next one begins, for as long as that one can live', async () => {
    const protocol = await make();
    const { asked, queue } = aQueue(protocol);
    await crash(protocol);
    const order: string[] = [];

    await protocol.process(
      anEvent(),
      async (event, work) => {
        order.push('begun');
        return credit()(event, work);
      },
      {
        queue: async (delay, wait) => {
          order.push('queued');
          await queue(delay, wait);
        },
      },
    );

    expect(order).toEqual(['queued', 'begun']);
    expect(asked).toMatchObject([{ delay: 11_000, status: 'claimed' }]);
  });

  it('is not followed by another where the queue does not take the event', async () => {
    const protocol = await make();
    await crash(protocol);
    const before = await rowOf(protocol);

    const outcome = await protocol.process(anEvent(), credit(), { queue: () => Promise.reject(down) });

    expect(outcome).toEqual({ kind: 'store-down', reason: 'QUEUE_UNAVAILABLE' });
    expect(await rowOf(protocol)).toEqual(before);
  });

  it('differs from one that threw: that event was queued when it was given back', async () => {
    const protocol = await make();
    const { asked, queue } = aQueue(protocol);
    await protocol.process(anEvent(), throwing(new Error('boom')));

    await protocol.process(anEvent(), credit(), { queue });

    expect(asked).toEqual([]);
  });
});

describe('a deployment that is wrong', () => {
  it.each(['AccessDeniedException', 'ResourceNotFoundException'])(
    'with %s at the commit uses up no attempt, so it never parks an event',
    async (name) => {
      const protocol = await make();
      protocol.stage.intercept((call) =>
        call.name === 'TransactWriteItemsCommand' ? { before: sdkError(name) } : undefined,
      );

      for (let n = 0; n < 2 * MAX_ATTEMPTS; n += 1) {
        expect(await protocol.process(anEvent(), credit())).toMatchObject({ kind: 'store-down' });
      }

      expect(protocol.parked).toEqual([]);
      expect(await rowOf(protocol)).toMatchObject({ status: 'failed', attempts: 0, failures: 0 });
      protocol.stage.intercept(undefined);
      expect(await protocol.process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
    },
  );
});

describe('an event that may be older than the window', () => {
  const old = anEvent({ receivedAt: plus(T0, -hours(24 * 14)) });

  it('is kept for an operator and leaves no row', async () => {
    const protocol = await make();

    expect(await protocol.process(old, credit())).toEqual({ kind: 'expired' });
    expect(protocol.parked).toMatchObject([{ reason: 'expired', error: undefined }]);
    expect(await protocol.stage.items('inbox')).toEqual([]);
  });

  it('is no success when it could not be kept', async () => {
    const protocol = await make();

    const outcome = await protocol.process(old, credit(), { park: refuse });

    expect(outcome).toEqual({ kind: 'store-down', reason: 'QUEUE_UNAVAILABLE' });
  });

  it('is dropped where its source says so', async () => {
    const protocol = await make();

    expect(await protocol.process(old, credit(), { olderThanWindow: 'drop' })).toEqual({ kind: 'expired' });
    expect(protocol.parked).toEqual([]);
  });

  it('is applied once where somebody decided that its age does not matter', async () => {
    const protocol = await make();

    const first = await protocol.process(old, credit(), { olderThanWindow: 'process' });
    const second = await protocol.process(old, credit(), { olderThanWindow: 'process' });

    expect([first.kind, second.kind]).toEqual(['processed', 'duplicate']);
  });

  it('has a row that is not expired from its birth: it would lose its steps', async () => {
    const protocol = await make();
    let expiresAt: unknown;

    await protocol.process(
      old,
      async () => {
        expiresAt = (await rowOf(protocol))?.['expiresAt'];
      },
      { olderThanWindow: 'process' },
    );

    expect(expiresAt).toBe((T0 + hours(24 * 14)) / 1000);
  });
});
