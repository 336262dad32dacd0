import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { days } from '../../../lambda/core/time.ts';
import { github, type Handler, hmac, Permanent, RetryLater } from '../../../lambda/oncehook.ts';
import { sdkError } from '../../support/protocol.ts';
import { createReceiver, DEAD_LETTERS, EVENTS, MAX_ATTEMPTS } from '../../support/receiver.ts';

let failuresLeft = 0;
/** What the handler does first: a test may make it stand still. */
let first = async (): Promise<void> => {};
const note: Handler<never> = async (event, work) => {
  await first();
  if (failuresLeft > 0) {
    failuresLeft -= 1;
    throw new Error('boom');
  }
  work.emit('noted', { id: event.id });
};
const never: Handler<never> = async () => {
  throw new Permanent('no such customer');
};
const later: Handler<never> = async () => {
  throw new RetryLater(60, 'no order yet');
};

const plain = { header: 'x-signature', id: '$.id', type: '$.type', redelivers: true } as const;
const on = { note, never, later };
const timed = { ...plain, eventTime: { from: '$.at', unit: 's' } } as const;
const sources = defineSources({
  own: { provider: hmac(plain), on },
  asking: { provider: hmac(plain), on, onFailure: 'ask-provider' },
  queued: { provider: hmac(plain), on, process: 'queued' },
  batch: { provider: hmac({ ...plain, batch: '$' }), on },
  inline: { provider: hmac({ ...plain, batch: '$' }), on, process: 'inline' },
  timed: { provider: hmac(timed), on },
  dropping: { provider: hmac(timed), on, olderThanWindow: 'drop' },
  applying: { provider: hmac(timed), on, olderThanWindow: 'process' },
  github: { provider: github(), on: { push: note } },
});
const secrets = Object.fromEntries([...sources.keys()].map((name) => [name, ['test-secret-1']]));

const make = (failures = 0, maxBodyBytes?: number) => {
  failuresLeft = failures;
  first = async () => {};
  return createReceiver(sources, secrets, maxBodyBytes);
};
const event = (id: string, more: object = {}): string => JSON.stringify({ id, type: 'note', ...more });
const answerOf = (answer: { readonly statusCode: number; readonly body: string }) => [
  answer.statusCode,
  (JSON.parse(answer.body) as { readonly outcome: string }).outcome,
];
const down = sdkError('TimeoutError');
type Made = Awaited<ReturnType<typeof make>>;
const breakQueue = (receiver: Made, broken: string): void => {
  receiver.queues.before = (url) => {
    if (url === broken) throw down;
  };
};

describe('a delivery whose handler fails', () => {
  it('is acknowledged once its event is in the events queue, which tells its own bytes', async () => {
    const receiver = await make(1);
    const body = event('e1');

    expect(answerOf(await receiver.sendSigned('own', { body }))).toEqual([200, 'queued']);
    expect(receiver.queued()).toMatchObject([
      { source: 'own', eventId: 'e1', types: ['note'], body: { kind: 'inline', bytes: Buffer.from(body) } },
    ]);
    expect(await receiver.stage.items('inbox')).toMatchObject([{ status: 'failed', attempts: 1, failures: 1 }]);
  });

  it('is answered 500 when the queue does not take it', async () => {
    const receiver = await make(1);
    breakQueue(receiver, EVENTS);

    expect(answerOf(await receiver.sendSigned('own', { body: event('e1') }))).toEqual([500, 'failed']);
  });

  it('is answered 500 where the provider is asked to retry, and nothing is queued', async () => {
    const receiver = await make(1);

    expect(answerOf(await receiver.sendSigned('asking', { body: event('e1') }))).toEqual([500, 'failed']);
    expect(receiver.queued()).toEqual([]);
    expect(answerOf(await receiver.sendSigned('asking', { body: event('e1') }))).toEqual([200, 'processed']);
  });

  it.each(['own', 'asking'])(
    'is acknowledged at the last attempt of %s, when it is in the dead-letter queue',
    async (source) => {
      const receiver = await make(MAX_ATTEMPTS);
      const answers = [];

      for (let n = 0; n < MAX_ATTEMPTS; n += 1) {
        answers.push(answerOf(await receiver.sendSigned(source, { body: event('e1') })));
      }

      const before = source === 'own' ? [200, 'queued'] : [500, 'failed'];
      expect(answers).toEqual([before, before, [200, 'parked']]);
      expect(receiver.parked()).toMatchObject([
        { eventId: 'e1', parked: { reason: 'max-attempts', lastError: { name: 'Error', message: 'boom' } } },
      ]);
    },
  );

  it('for good is acknowledged at once, fifteen times, so no sender gives the endpoint up', async () => {
    const receiver = await make();
    const answers = [];

    for (let n = 0; n < 15; n += 1) {
      answers.push(answerOf(await receiver.sendSigned('own', { body: event(`e${n}`, { type: 'never' }) })));
    }

    expect(answers).toEqual(Array.from({ length: 15 }, () => [200, 'parked']));
    expect(receiver.parked()).toHaveLength(15);
  });

  it('for good is answered 500 when the dead-letter queue does not take it', async () => {
    const receiver = await make();
    breakQueue(receiver, DEAD_LETTERS);

    expect(answerOf(await receiver.sendSigned('own', { body: event('e1', { type: 'never' }) }))).toEqual([
      500,
      'failed',
    ]);
    expect(await receiver.stage.items('inbox')).toMatchObject([{ status: 'failed' }]);
  });

  it('for now is queued for later, or asks for a pause where the provider retries', async () => {
    const receiver = await make();

    const own = await receiver.sendSigned('own', { body: event('e1', { type: 'later' }) });
    const asking = await receiver.sendSigned('asking', { body: event('e1', { type: 'later' }) });

    expect([answerOf(own), answerOf(asking)]).toEqual([
      [200, 'queued'],
      [503, 'retry-later'],
    ]);
    expect(asking.headers['retry-after']).toBe('60');
    expect(receiver.queued()).toMatchObject([{ notBefore: receiver.clock.now() + 60_000 }]);
  });
});

describe('a copy of an event that runs', () => {
  /** The first copy stands still in its handler. */
  async function whileOneRuns(source: string) {
    const receiver = await make();
    const { promise: running, resolve: run } = Promise.withResolvers<void>();
    const { promise: frozen, resolve: thaw } = Promise.withResolvers<void>();
    first = () => {
      run();
      return frozen;
    };
    const answer = receiver.sendSigned(source, { body: event('e1') });
    await running;
    first = async () => {};
    return { receiver, answer, thaw };
  }

  it.each(['own', 'asking'])(
    'is no error at %s: it waits in the queue until the first one must have ended',
    async (source) => {
      const { receiver, answer, thaw } = await whileOneRuns(source);

      const copy = await receiver.sendSigned(source, { body: event('e1') });

      expect(answerOf(copy)).toEqual([200, 'queued']);
      expect(receiver.queues.messages(EVENTS)).toMatchObject([{ visibleAt: receiver.clock.now() + 11_000 }]);
      thaw();
      await answer;
      receiver.clock.advance(11_000);
      expect(await receiver.work()).toBe('done');
      expect(receiver.outcomes.map(({ kind }) => kind)).toEqual(['queued', 'processed', 'duplicate']);
      expect(await receiver.stage.items('outbox')).toHaveLength(1);
    },
  );

  it('asks the sender to come back only when the queue does not take it', async () => {
    const { receiver, answer, thaw } = await whileOneRuns('own');
    breakQueue(receiver, EVENTS);

    const copy = await receiver.sendSigned('own', { body: event('e1') });

    expect([...answerOf(copy), copy.headers['retry-after']]).toEqual([503, 'in-progress', '11']);
    thaw();
    await answer;
  });

  it('applies the event when the first one died', async () => {
    const { receiver } = await whileOneRuns('own');
    await receiver.sendSigned('own', { body: event('e1') });

    receiver.clock.advance(11_000);

    expect(await receiver.work()).toBe('done');
    expect(receiver.outcomes.at(-1)).toEqual({ kind: 'processed', attempt: 2 });
  });
});

describe('a source that answers before it works', () => {
  it('makes no DynamoDB call before its answer', async () => {
    const receiver = await make();

    expect(answerOf(await receiver.sendSigned('queued', { body: event('e1') }))).toEqual([200, 'queued']);
    expect(receiver.stage.calls).toEqual([]);
    expect(await receiver.work()).toBe('done');
    expect(await receiver.stage.items('outbox')).toHaveLength(1);
  });

  it('queues every copy, and the worker finds the duplicates', async () => {
    const receiver = await make();

    await receiver.sendSigned('queued', { body: event('e1') });
    await receiver.sendSigned('queued', { body: event('e1') });
    await receiver.work();
    await receiver.work();

    expect(receiver.outcomes.map(({ kind }) => kind)).toEqual(['queued', 'queued', 'processed', 'duplicate']);
  });

  it('is answered 503 with a pause while the queue does not answer', async () => {
    const receiver = await make();
    breakQueue(receiver, EVENTS);

    const answer = await receiver.sendSigned('queued', { body: event('e1') });

    expect([...answerOf(answer), answer.headers['retry-after']]).toEqual([503, 'store-unavailable', '5']);
  });

  it('queues nothing that has no handler', async () => {
    const receiver = await make();

    expect(answerOf(await receiver.sendSigned('queued', { body: event('e1', { type: 'other' }) }))).toEqual([
      200,
      'ignored',
    ]);
    expect(receiver.queued()).toEqual([]);
  });

  it('sends one message an event of a batch, and answers when all are accepted', async () => {
    const receiver = await make(0, 100_000);
    const ids = Array.from({ length: 25 }, (_, n) => `e${n}`);

    const answer = await receiver.sendSigned('batch', { body: `[${ids.map((id) => event(id)).join(',')}]` });

    expect(answerOf(answer)).toEqual([200, 'queued']);
    expect(receiver.queued().map(({ eventId, itemIndex }) => [eventId, itemIndex])).toEqual(
      ids.map((id, n) => [id, n]),
    );
    for (const _ of ids) expect(await receiver.work()).toBe('done');
    expect((await receiver.stage.items('inbox')).map(({ eventId }) => eventId).toSorted()).toEqual(ids.toSorted());
  });

  it('answers 503 for a batch of which one event was not accepted, and the redelivery applies each once', async () => {
    const receiver = await make();
    const body = `[${['e1', 'e2', 'e3'].map((id) => event(id)).join(',')}]`;
    receiver.queues.refuses = (message) => message.includes('"eventId":"e2"');

    const first = await receiver.sendSigned('batch', { body });
    receiver.queues.refuses = () => false;
    const second = await receiver.sendSigned('batch', { body });

    expect([first.statusCode, second.statusCode]).toEqual([503, 200]);
    expect((JSON.parse(first.body) as { readonly events: unknown }).events).toMatchObject([
      { outcome: 'queued' },
      { outcome: 'store-unavailable' },
      { outcome: 'queued' },
    ]);
    while ((await receiver.work()) !== 'nothing');
    expect(await receiver.stage.items('outbox')).toHaveLength(3);
  });

  it('is GitHub by itself, which never sends again', async () => {
    const receiver = await make(2);
    const headers = { 'x-github-event': 'push', 'x-github-delivery': 'd-1' };

    const answer = await receiver.sendSigned('github', { body: '{"ref":"x"}', headers });
    const fates = [await receiver.work()];
    receiver.clock.advance(3_600_000);
    fates.push(await receiver.work());
    receiver.clock.advance(3_600_000);
    fates.push(await receiver.work());

    expect(answerOf(answer)).toEqual([200, 'queued']);
    expect(fates).toEqual(['keep', 'keep', 'done']);
    expect(await receiver.stage.items('outbox')).toHaveLength(1);
  });
});

describe('a batch that is worked on before the answer', () => {
  it('has what there is no time for queued together, and the redelivery is all duplicates', async () => {
    const receiver = await make(0, 100_000);
    const ids = Array.from({ length: 30 }, (_, n) => `e${n}`);
    // Each takes a second of the ten; with less than two left nothing is begun.
    first = async () => receiver.clock.advance(1000);
    let requests = 0;
    receiver.queues.before = () => {
      requests += 1;
    };

    const answer = await receiver.sendSigned('inline', { body: `[${ids.map((id) => event(id)).join(',')}]` });

    expect(answerOf(answer)).toEqual([200, 'processed']);
    expect(receiver.queued().map(({ eventId }) => eventId)).toEqual(ids.slice(9));
    expect(requests).toBe(3);
    first = async () => {};
    await receiver.workAll();
    expect(await receiver.stage.items('outbox')).toHaveLength(30);
  });
});

describe('an event that may be older than the window', () => {
  const old = (receiver: Made): string => event('e1', { at: Math.floor((receiver.clock.now() - days(14)) / 1000) });

  it.each([
    ['timed', 'expired', 1, 0],
    ['dropping', 'expired', 0, 0],
    ['applying', 'processed', 0, 1],
  ])('is, as %s says, %s', async (source, outcome, deadLetters, messages) => {
    const receiver = await make();

    const answer = await receiver.sendSigned(source, { body: old(receiver) });

    expect(answerOf(answer)).toEqual([200, outcome]);
    expect(receiver.parked()).toHaveLength(deadLetters);
    expect(await receiver.stage.items('outbox')).toHaveLength(messages);
    expect(await receiver.stage.items('inbox')).toHaveLength(messages);
  });

  it('is answered 503 when it could not be kept', async () => {
    const receiver = await make();
    breakQueue(receiver, DEAD_LETTERS);

    expect(answerOf(await receiver.sendSigned('timed', { body: old(receiver) }))).toEqual([503, 'store-unavailable']);
  });
});
