import { describe, expect, it } from 'vitest';
import { MAX_INLINE_MESSAGE_BYTES } from '../../../lambda/adapters/sqs/event-message.ts';
import { createDeadLetters, createEventsQueue } from '../../../lambda/adapters/sqs/events-queue.ts';
import { MAX_MESSAGE_BYTES } from '../../../lambda/adapters/sqs/message-body.ts';
import { toEnvelope } from '../../../lambda/core/envelope.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../lambda/core/envelope-codec.ts';
import { OncehookError } from '../../../lambda/core/errors.ts';
import { seconds } from '../../../lambda/core/time.ts';
import { anEvent } from '../../support/events.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createMemoryBodies } from '../../support/memory-bodies.ts';
import { createMemoryQueues } from '../../support/memory-queues.ts';

const URL = 'https://sqs.example/events';

function make() {
  const clock = createManualClock();
  const queues = createMemoryQueues(clock);
  const { bodies, stored } = createMemoryBodies();
  let puts = 0;
  const counted = {
    ...bodies,
    put: (key: string, bytes: Uint8Array) => {
      puts += 1;
      return bodies.put(key, bytes);
    },
  };
  return {
    clock,
    queues,
    stored,
    puts: () => puts,
    events: createEventsQueue(queues.client, URL, counted),
    deadLetters: createDeadLetters(queues.client, URL, counted),
    sent: () => queues.messages(URL).map(({ body }) => decodeEnvelope(body)),
  };
}

/** An event whose message has exactly so many bytes with its body in it: a header takes what base64 cannot. */
function anEventOf(messageBytes: number) {
  const rawBody = Buffer.alloc(Math.floor((messageBytes - 2000) / 4) * 3, 1);
  const event = anEvent({ rawBody, headers: { pad: '' } });
  const short = messageBytes - Buffer.byteLength(encodeEnvelope(toEnvelope(event)));
  return toEnvelope({ ...event, headers: { pad: 'x'.repeat(short) } });
}

describe('a body', () => {
  it.each([
    [0, 'inline'],
    [1, 'stored'],
  ])('whose message is %d bytes over what it may have is %s', async (over, kind) => {
    const { events, deadLetters, sent, stored } = make();
    const envelope = anEventOf(MAX_INLINE_MESSAGE_BYTES + over);
    expect(Buffer.byteLength(encodeEnvelope(envelope))).toBe(MAX_INLINE_MESSAGE_BYTES + over);

    await events.send(envelope, seconds(0));
    await deadLetters.send(envelope);

    expect(sent().map(({ body }) => body.kind)).toEqual([kind, kind]);
    expect(stored.size).toBe(over);
  });

  it('in a message stays there whatever is written later, and still fits', async () => {
    const { events, deadLetters, queues, puts } = make();
    const envelope = anEventOf(MAX_INLINE_MESSAGE_BYTES);
    const worst = '\u0000'.repeat(300);
    const later = { ...envelope, notBefore: 1_796_083_200_000 as never, postponedSince: 1_796_083_200_000 as never };

    await events.send(later, seconds(1));
    await deadLetters.send({
      ...later,
      parked: { reason: 'retry-later-too-long', lastError: { name: worst, message: worst } },
    });

    expect(puts()).toBe(0);
    for (const { body } of queues.messages(URL)) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
  });

  it('of a delivery of many events is stored once where a batch does not hold it as often', async () => {
    const { events, sent, puts } = make();
    const rawBody = Buffer.alloc(10_000, 1);
    const envelopes = Array.from({ length: 100 }, (_, n) =>
      toEnvelope(anEvent({ eventId: `e${n}`, itemIndex: n, rawBody })),
    );

    expect(await events.sendAll(envelopes)).toEqual(envelopes.map(() => true));
    expect(puts()).toBe(1);
    expect(new Set(sent().map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('that the store does not take is not sent at all', async () => {
    const { queues } = make();
    const refusing = createEventsQueue(queues.client, URL, {
      put: () => Promise.reject(new OncehookError('QUEUE_UNAVAILABLE', 'put a body: SlowDown', { retryable: true })),
      get: async () => undefined,
    });
    const envelope = toEnvelope(anEvent({ rawBody: Buffer.alloc(800_000, 1) }));

    await expect(refusing.send(envelope, seconds(0))).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' });
    expect(await refusing.sendAll([envelope])).toEqual([false]);
    expect(queues.messages(URL)).toEqual([]);
  });
});

describe('the delay of a message', () => {
  it.each([
    [0, 0],
    [1, 1000],
    [10_500, 11_000],
    [900_000, 900_000],
    [900_001, 900_000],
  ])('of %d ms is rounded up to seconds and is a quarter of an hour at most', async (delay, visibleAfter) => {
    const { clock, events, queues } = make();

    await events.send(toEnvelope(anEvent()), delay as never);

    expect((queues.messages(URL)[0]?.visibleAt ?? 0) - clock.now()).toBe(visibleAfter);
  });
});

describe('the events of one delivery', () => {
  it.each([
    [0, 0],
    [10, 1],
    [11, 2],
    [101, 11],
  ])('that are %d take %d batches', async (count, batches) => {
    const { events, queues } = make();
    let requests = 0;
    queues.before = () => {
      requests += 1;
    };

    const envelopes = Array.from({ length: count }, (_, n) => toEnvelope(anEvent({ eventId: `e${n}` })));

    expect(await events.sendAll(envelopes)).toEqual(envelopes.map(() => true));
    expect(requests).toBe(batches);
  });

  it('are not accepted where the answer does not say so', async () => {
    const { events, queues } = make();
    queues.refuses = (body) => body.includes('"e1"');

    const envelopes = ['e0', 'e1', 'e2'].map((eventId) => toEnvelope(anEvent({ eventId })));

    expect(await events.sendAll(envelopes)).toEqual([true, false, true]);
  });
});
