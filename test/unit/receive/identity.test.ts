import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../lambda/core/inbox-key.ts';
import { bodyOf, event, handled, make } from './a-receiver.ts';

describe('identity', () => {
  it('of events without an id is the hash of their bytes: different ones stay apart, a copy does not', async () => {
    const receiver = await make();

    const answers = [
      await receiver.sendSigned('plain', { body: '{"type":"note","n":1}' }),
      await receiver.sendSigned('plain', { body: '{"type":"note","n":2}' }),
      await receiver.sendSigned('plain', { body: '{"type":"note","n":1}' }),
      await receiver.sendSigned('plain', { body: '{"type":"note","id":"  "}' }),
    ];

    expect(answers.map((answer) => answer.headers['x-oncehook-outcome'])).toEqual([
      'processed',
      'processed',
      'duplicate',
      'processed',
    ]);
    expect(bodyOf(answers[0] as never)).toMatchObject({ eventId: `body_${sha256Hex('{"type":"note","n":1}')}` });
  });

  it.each([
    ['x'.repeat(256), 'x'.repeat(256)],
    ['x'.repeat(257), `sha256_${sha256Hex('x'.repeat(257))}`],
    ['é'.repeat(129), `sha256_${sha256Hex('é'.repeat(129))}`],
    [`body_${'0'.repeat(64)}`, `sha256_${sha256Hex(`body_${'0'.repeat(64)}`)}`],
    ['sha256_x', `sha256_${sha256Hex('sha256_x')}`],
  ])('by the id %.30s… is one name for answer, handler and row, and the copy has it too', async (id, name) => {
    const receiver = await make();

    const first = await receiver.sendSigned('plain', { body: event(id) });
    const copy = await receiver.sendSigned('plain', { body: event(id) });

    expect(bodyOf(first)).toEqual({ outcome: 'processed', eventId: name });
    expect(bodyOf(copy)).toEqual({ outcome: 'duplicate', eventId: name });
    expect(handled.map((one) => one.id)).toEqual([name]);
    expect(await receiver.stage.items('inbox')).toMatchObject([{ id: `plain#${name}`, eventId: name }]);
  });

  it('is scoped by the source: one id at two sources is two events', async () => {
    const receiver = await make();

    await receiver.sendSigned('plain', { body: event('e1') });
    const other = await receiver.sendSigned('timed', { body: event('e1') });

    expect(bodyOf(other)).toEqual({ outcome: 'processed', eventId: 'e1' });
  });

  it('of two numbers that would round into one differs', async () => {
    const receiver = await make();

    const answers = [];
    for (const id of ['9007199254740992', '9007199254740993', '9007199254740993']) {
      answers.push(bodyOf(await receiver.sendSigned('plain', { body: `{"id":${id},"type":"note"}` })));
    }

    expect(answers).toEqual([
      { outcome: 'processed', eventId: '9007199254740992' },
      { outcome: 'processed', eventId: '9007199254740993' },
      { outcome: 'duplicate', eventId: '9007199254740993' },
    ]);
  });

  it('of two events about one object differs', async () => {
    const receiver = await make();

    await receiver.sendSigned('plain', { body: event('e1', { data: { id: 'A1' } }) });
    const second = await receiver.sendSigned('plain', { body: event('e2', { data: { id: 'A1' } }) });

    expect(bodyOf(second)).toEqual({ outcome: 'processed', eventId: 'e2' });
  });

  it('may be given by the source for twins', async () => {
    const receiver = await make();

    await receiver.sendSigned('twins', { body: event('e1', { object: 'sub_1' }) });
    const twin = await receiver.sendSigned('twins', { body: event('e2', { object: 'sub_1' }) });

    expect(bodyOf(twin)).toEqual({ outcome: 'duplicate', eventId: 'note:sub_1' });
  });
});

describe('the time of an event', () => {
  it.each([0, 8_640_000_000_001, 'soon'])(
    'that is %j is none, and the event is as old as its first copy',
    async (at) => {
      const receiver = await make();

      expect((await receiver.sendSigned('timed', { body: event('e1', { at }) })).statusCode).toBe(200);
      expect(handled[0]?.occurredAt).toBeUndefined();
    },
  );
});
