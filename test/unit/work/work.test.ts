import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import type { Envelope } from '../../../lambda/core/envelope.ts';
import { encodeEnvelope } from '../../../lambda/core/envelope-codec.ts';
import { days } from '../../../lambda/core/time.ts';
import { type Handler, hmac, Permanent, RetryLater } from '../../../lambda/oncehook.ts';
import { sdkError } from '../../support/protocol.ts';
import { createReceiver, DEAD_LETTERS, EVENTS, MAX_ATTEMPTS } from '../../support/receiver.ts';

const seen: { body: unknown; raw: string; headers: unknown }[] = [];
/** What the handler does first: a test may make it stand still. */
let first = async (): Promise<void> => {};
let failing: ((attempt: number) => unknown) | undefined;
const note: Handler<never> = async (event, work) => {
  seen.push({ body: event.body, raw: Buffer.from(event.rawBody).toString('base64'), headers: event.headers });
  await first();
  const error = failing?.(work.attempt);
  if (error !== undefined) throw error;
  work.emit('noted', { id: event.id });
};

const plain = { header: 'x-signature', id: '$.id', type: '$.type', redelivers: true } as const;
const sources = defineSources({
  queued: { provider: hmac({ ...plain, headers: ['x-shop'] }), on: { note }, process: 'queued' },
  batch: { provider: hmac({ ...plain, batch: '$' }), on: { note } },
  dropping: { provider: hmac(plain), on: { note }, process: 'queued', olderThanWindow: 'drop' },
  timed: { provider: hmac({ ...plain, eventTime: { from: '$.at', unit: 's' } }), on: { note }, process: 'queued' },
});
const secrets = {
  queued: ['test-secret-1'],
  batch: ['test-secret-1'],
  timed: ['test-secret-1'],
  dropping: ['test-secret-1'],
};

const make = async (fail?: typeof failing) => {
  seen.length = 0;
  failing = fail;
  first = async () => {};
  return createReceiver(sources, secrets);
};
type Made = Awaited<ReturnType<typeof make>>;
const event = (id: string, more: object = {}): string => JSON.stringify({ id, type: 'note', ...more });
const send = (receiver: Made, body = event('e1'), headers = {}) => receiver.sendSigned('queued', { body, headers });
const lastOutcome = ({ outcomes }: Made) => outcomes.at(-1);
const waitOf = (receiver: Made): number =>
  ((receiver.queues.messages(EVENTS)[0]?.visibleAt ?? 0) - receiver.clock.now()) / 1000;
const boom = () => new Error('boom');

const inline = (text: string) => ({ kind: 'inline', bytes: Buffer.from(text) }) as const;

/** Puts an envelope of source `queued` into the events queue. */
function putEnvelope(receiver: Made, changes: Partial<Envelope> = {}): void {
  receiver.queues.put(
    EVENTS,
    encodeEnvelope({
      source: 'queued',
      eventId: 'e1',
      types: ['note'],
      receivedAt: receiver.clock.now(),
      occurredAt: undefined,
      contentEncoding: undefined,
      itemIndex: undefined,
      headers: {},
      body: { kind: 'inline', bytes: Buffer.from(event('e1')) },
      notBefore: undefined,
      postponedSince: undefined,
      force: false,
      parked: undefined,
      ...changes,
    }),
  );
}

describe('a queued event', () => {
  it('comes to its handler with its raw bytes, its body and the headers it may see', async () => {
    const receiver = await make();
    const body = '{"id":"e1",  "type":"note","n":9123456789654321,"s":"\\u00e9é"}';

    await send(receiver, body, { 'x-shop': 'one', authorization: 'Bearer canary' });
    await receiver.work();

    expect(seen).toEqual([
      {
        body: { id: 'e1', type: 'note', n: 9_123_456_789_654_321n, s: 'éé' },
        raw: Buffer.from(body).toString('base64'),
        headers: { 'x-shop': 'one' },
      },
    ]);
  });

  it('that was compressed is inflated again, and its raw bytes stay what they were', async () => {
    const receiver = await make();
    const zipped = gzipSync(event('e1'));

    await receiver.sendSigned('queued', { body: zipped, headers: { 'content-encoding': 'gzip' } });
    await receiver.work();

    expect(seen).toMatchObject([{ body: { id: 'e1' }, raw: zipped.toString('base64') }]);
  });

  it('of a batch is the item that it was', async () => {
    const receiver = await make();

    await receiver.sendSigned('batch', { body: `[${event('e1')},${event('e2', { n: 2 })}]` });
    await receiver.work();
    await receiver.work();

    expect(seen.map(({ body }) => body)).toEqual([
      { id: 'e1', type: 'note' },
      { id: 'e2', type: 'note', n: 2 },
    ]);
  });
});

describe('the message of an event', () => {
  it('goes when it is processed, and when it is a duplicate', async () => {
    const receiver = await make();
    await send(receiver);
    await send(receiver);

    expect([await receiver.work(), await receiver.work()]).toEqual(['done', 'done']);
    expect(receiver.queues.messages(EVENTS)).toEqual([]);
  });

  it('is kept after a failure, for a wait that doubles, and the row counts', async () => {
    const receiver = await make(boom);
    await send(receiver);
    const waits: number[] = [];

    for (let n = 1; n < MAX_ATTEMPTS; n += 1) {
      expect(await receiver.work()).toBe('keep');
      waits.push(waitOf(receiver));
      receiver.clock.advance(3_600_000);
    }

    expect(waits).toEqual([15, 30]);
    expect(await receiver.stage.items('inbox')).toMatchObject([{ status: 'failed', attempts: 2, failures: 2 }]);
  });

  it('goes when the event is parked: in the dead-letter queue with its bytes and the reason', async () => {
    const receiver = await make(boom);
    await send(receiver);

    for (let n = 1; n <= MAX_ATTEMPTS; n += 1) {
      await receiver.work();
      receiver.clock.advance(3_600_000);
    }

    expect(receiver.queues.messages(EVENTS)).toEqual([]);
    expect(receiver.parked()).toMatchObject([
      {
        eventId: 'e1',
        body: { kind: 'inline', bytes: Buffer.from(event('e1')) },
        parked: { reason: 'max-attempts', lastError: { message: 'boom' } },
      },
    ]);
    expect(await receiver.stage.items('inbox')).toMatchObject([{ status: 'parked' }]);
  });

  it('is kept when the dead-letter queue does not take it', async () => {
    const receiver = await make(() => new Permanent('never'));
    await send(receiver);
    receiver.queues.before = (url) => {
      if (url === DEAD_LETTERS) throw sdkError('TimeoutError');
    };

    expect(await receiver.work()).toBe('keep');
    receiver.queues.before = () => {};
    receiver.clock.advance(3_600_000);
    expect(await receiver.work()).toBe('done');
    expect(receiver.parked()).toHaveLength(1);
  });

  it('is kept while another holds the event, until its lease ends, and that is no attempt', async () => {
    const receiver = await make();
    await send(receiver);
    await send(receiver);
    const { promise: running, resolve: run } = Promise.withResolvers<void>();
    const { promise: frozen, resolve: thaw } = Promise.withResolvers<void>();
    first = () => {
      run();
      return frozen;
    };
    const holder = receiver.work();
    await running;

    expect(await receiver.work()).toBe('keep');
    expect(receiver.queues.messages(EVENTS)[1]?.visibleAt).toBe(receiver.clock.now() + 121_000);
    expect(await receiver.stage.items('inbox')).toMatchObject([{ attempts: 1 }]);
    thaw();
    expect(await holder).toBe('done');
  });

  it('is kept while DynamoDB does not answer, and never comes again at once', async () => {
    const receiver = await make();
    await send(receiver);
    receiver.stage.intercept(() => ({ before: sdkError('TimeoutError') }));

    expect(await receiver.work()).toBe('keep');
    expect(lastOutcome(receiver)).toMatchObject({ kind: 'store-down' });
    expect(waitOf(receiver)).toBeGreaterThanOrEqual(5);
  });

  it('that nobody can read is kept for a version that can, and said so', async () => {
    const receiver = await make();
    receiver.queues.put(EVENTS, '{"v":2}');

    expect(await receiver.work()).toBe('keep');
    expect(waitOf(receiver)).toBe(3600);
  });

  it.each([
    ['a source that is not there any more', { source: 'gone' }, 'unknown-source'],
    ['a body that is not there any more', { body: { kind: 'stored', bucket: 'bodies', key: 'gone' } }, 'body-gone'],
    ['types that have no handler any more', { types: ['renamed', 'gone'] }, 'no-handler'],
    [
      'an item that is not in its body',
      { source: 'batch', itemIndex: 1, body: inline('[{"id":"e1","type":"note"}]') },
      'malformed',
    ],
    [
      'an item in whose place another stands now',
      { source: 'batch', itemIndex: 0, body: inline('[{"id":"e2","type":"other"}]') },
      'malformed',
    ],
    ['a body that is no JSON', { body: { kind: 'inline', bytes: Buffer.from('{') } }, 'malformed'],
  ] as const)('of %s is parked', async (_case, changes, reason) => {
    const receiver = await make();
    putEnvelope(receiver, changes);

    expect(await receiver.work()).toBe('done');
    expect(lastOutcome(receiver)).toEqual({ kind: 'parked', reason, attempt: 0 });
    expect(receiver.parked()).toMatchObject([{ parked: { reason } }]);
    expect(receiver.stage.calls).toEqual([]);
  });
});

describe('RetryLater of a queued event', () => {
  it('sends it anew for the moment that was asked for, and deletes the old message', async () => {
    let ready = false;
    const receiver = await make(() => (ready ? undefined : new RetryLater(3600, 'no order yet')));
    const begun = receiver.clock.now();
    await send(receiver);

    expect(await receiver.work()).toBe('done');
    expect(receiver.queued()).toMatchObject([{ notBefore: begun + 3_600_000, postponedSince: begun }]);

    // SQS delays by a quarter of an hour at most; the rest is waited for without touching the event.
    receiver.clock.advance(900_000);
    expect(await receiver.work()).toBe('keep');
    expect(waitOf(receiver)).toBe(2700);
    expect(seen).toHaveLength(1);

    ready = true;
    receiver.clock.advance(2_700_000);
    expect(await receiver.work()).toBe('done');
    expect(lastOutcome(receiver)).toEqual({ kind: 'processed', attempt: 1 });
  });

  it('ends after a day in the dead-letter queue, from where it may begin again', async () => {
    let ready = false;
    const receiver = await make(() => (ready ? undefined : new RetryLater(43_000, 'no order yet')));
    await send(receiver);

    for (let n = 0; n < 20 && receiver.parked().length === 0; n += 1) {
      await receiver.work();
      receiver.clock.advance(10_800_000);
    }

    expect(receiver.parked()).toMatchObject([
      { notBefore: undefined, postponedSince: undefined, parked: { reason: 'retry-later-too-long' } },
    ]);
    ready = true;
    receiver.redrive();
    expect(await receiver.work()).toBe('done');
    expect(lastOutcome(receiver)).toMatchObject({ kind: 'processed' });
  });
});

describe('a redrive', () => {
  it('of a parked event after the fix applies it, and a second one is a duplicate', async () => {
    const receiver = await make(() => new Permanent('a bug'));
    await send(receiver);
    await receiver.work();
    const [message] = receiver.queues.messages(DEAD_LETTERS);
    failing = undefined;

    receiver.queues.put(EVENTS, message?.body ?? '');
    receiver.redrive();
    await receiver.work();
    await receiver.work();

    expect(receiver.outcomes.slice(-2).map(({ kind }) => kind)).toEqual(['processed', 'duplicate']);
    expect(await receiver.stage.items('outbox')).toHaveLength(1);
  });

  it('is what a copy is not that was sent before the parking: it ends without an attempt', async () => {
    const receiver = await make(() => new Permanent('a bug'));
    await send(receiver);
    await send(receiver);
    await send(receiver);
    receiver.clock.advance(10_001);

    expect([await receiver.work(), await receiver.work(), await receiver.work()]).toEqual(['done', 'done', 'done']);
    expect(seen).toHaveLength(1);
    expect(receiver.parked()).toHaveLength(1);
    expect(receiver.endings().map(({ kind }) => kind)).toEqual(['parked', 'already-parked', 'already-parked']);

    failing = undefined;
    receiver.redrive();
    await receiver.work();
    expect(lastOutcome(receiver)).toEqual({ kind: 'processed', attempt: 1 });
  });

  it('weeks later meets the age rule, by the receipt that the message carries', async () => {
    const receiver = await make();
    await send(receiver);
    const sent = receiver.queues.messages(EVENTS)[0]?.body ?? '';
    receiver.clock.advance(days(14));

    receiver.queues.put(EVENTS, sent);
    receiver.queues.delete(EVENTS, 'message-1');
    await receiver.work();

    expect(lastOutcome(receiver)).toEqual({ kind: 'expired' });
    expect(receiver.parked()).toMatchObject([{ parked: { reason: 'expired' } }]);
    expect(seen).toEqual([]);
  });

  it('of what its source drops at the door is kept: it was acknowledged, and grew old here', async () => {
    const receiver = await make();
    await receiver.sendSigned('dropping', { body: event('e1') });
    receiver.clock.advance(days(14));

    await receiver.work();

    expect(lastOutcome(receiver)).toEqual({ kind: 'expired' });
    expect(receiver.parked()).toMatchObject([{ parked: { reason: 'expired' } }]);
  });

  it('that somebody forces is applied whatever its age, once', async () => {
    const receiver = await make();
    putEnvelope(receiver, { force: true, receivedAt: 1 as never });
    putEnvelope(receiver, { force: true, receivedAt: 1 as never });

    await receiver.work();
    await receiver.work();

    expect(receiver.outcomes.map(({ kind }) => kind)).toEqual(['processed', 'duplicate']);
  });
});
