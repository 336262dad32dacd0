import { describe, expect, it } from 'vitest';
import { MAX_SEND_ATTEMPTS, type OwedMessage } from '../../../lambda/core/owed-message.ts';
import { plus } from '../../../lambda/core/time.ts';
import { dispatchBatch, type StreamRecord } from '../../../lambda/dispatch/dispatch-batch.ts';
import { readRecords } from '../../../lambda/dispatch/read-records.ts';
import { sendOwed } from '../../../lambda/dispatch/send-owed.ts';
import { createMemoryStage } from '../../support/dynamodb-stage.ts';
import { T0 } from '../../support/manual-clock.ts';
import { aMessage, createOutbox, rowOf } from '../../support/outbox.ts';
import { lostAnswer, sdkError } from '../../support/protocol.ts';

const make = async (messages: readonly OwedMessage[], isFifo = false) => {
  const stage = await createMemoryStage();
  for (const message of messages) await stage.put('outbox', rowOf(message));
  return { stage, ...createOutbox(stage, isFifo) };
};
const many = (count: number, changes: Partial<OwedMessage> = {}): readonly OwedMessage[] =>
  Array.from({ length: count }, (_, n) => aMessage({ id: `stripe#evt_${n}#1`, ...changes }));
const records = (messages: readonly OwedMessage[]): readonly StreamRecord[] =>
  messages.map((message, n) => ({ sequenceNumber: String(100 + n), row: { kind: 'owed', message } }));
const invocation = { endsAt: plus(T0, 30_000) };

describe('messages that are owed', () => {
  it('are sent with their id, topic, group and time, and their rows go', async () => {
    const message = aMessage({ group: 'acct-1' });
    const { stage, deps, clock, batches, told } = await make([message]);
    clock.advance(40);

    await sendOwed(deps, [message]);

    expect(batches).toEqual([
      {
        QueueUrl: 'https://queue.example/outbox',
        Entries: [
          {
            Id: '0',
            MessageBody: '{"amount":5}',
            MessageAttributes: {
              id: { DataType: 'String', StringValue: 'stripe#evt_1#1' },
              topic: { DataType: 'String', StringValue: 'receipt.requested' },
              createdAt: { DataType: 'String', StringValue: '2026-12-01T00:00:00.000Z' },
              group: { DataType: 'String', StringValue: 'acct-1' },
            },
          },
        ],
      },
    ]);
    expect(await stage.items('outbox')).toEqual([]);
    expect(told).toEqual([{ sent: 'stripe#evt_1#1', lag: 40 }]);
  });

  it.each([
    [10, 1],
    [11, 2],
  ])('go ten at a time: %d in %d batches', async (count, batchCount) => {
    const messages = many(count);
    const { stage, deps, batches } = await make(messages);

    await sendOwed(deps, messages);

    expect(batches).toHaveLength(batchCount);
    expect(await stage.items('outbox')).toEqual([]);
  });

  it('go in as many batches as their bytes need', async () => {
    const messages = many(4, { payload: JSON.stringify('x'.repeat(300_000)) });
    const { deps, batches } = await make(messages);

    await sendOwed(deps, messages);

    expect(batches.map(({ Entries }) => Entries?.length)).toEqual([3, 1]);
  });

  it('that the queue did not take stay, each for its own reason, and the others go', async () => {
    const messages = many(5);
    const { stage, deps, controls, told } = await make(messages);
    controls.answer = () => ({
      Successful: [{ Id: '0' }, { Id: '2' }],
      Failed: [
        { Id: '1', SenderFault: false, Code: 'ThrottlingException' },
        { Id: '3', SenderFault: true, Code: 'InvalidMessageContents' },
      ],
    });

    await sendOwed(deps, messages);

    const rows = (await stage.items('outbox')).toSorted((one, other) =>
      String(one['id']).localeCompare(String(other['id'])),
    );
    expect(rows).toMatchObject([
      { id: 'stripe#evt_1#1', state: 'retry', attempts: 1, dueAtMs: T0 + 5000 },
      { id: 'stripe#evt_3#1', state: 'stuck', attempts: 1 },
      { id: 'stripe#evt_4#1', state: 'retry', attempts: 1 },
    ]);
    expect(told).toContainEqual({ notSent: 'stripe#evt_4#1', reason: 'not mentioned in the answer', isStuck: false });
    expect(told.filter((line) => JSON.stringify(line).includes('"sent"'))).toHaveLength(2);
  });

  it('wait longer after every failure, an hour at most, and are stuck after twenty', async () => {
    const { stage, deps, controls } = await make([aMessage()]);
    controls.answer = () => lostAnswer();
    const waits: number[] = [];

    for (let n = 0; n < MAX_SEND_ATTEMPTS; n += 1) {
      await sendOwed(deps, [aMessage({ attempts: n })]);
      const [row] = await stage.items('outbox');
      waits.push(Number(row?.['dueAtMs']) - T0);
      expect(row?.['state']).toBe(n + 1 < MAX_SEND_ATTEMPTS ? 'retry' : 'stuck');
    }

    expect(waits.slice(0, 4)).toEqual([5000, 10_000, 20_000, 40_000]);
    expect(waits.at(-1)).toBe(3_600_000);
  });

  it('that no batch holds are stuck at once, and hold up nobody', async () => {
    const messages = [
      aMessage({ id: 's#big#1', payload: JSON.stringify('x'.repeat(1_100_000)) }),
      aMessage({ id: 's#small#1' }),
    ];
    const { stage, deps, controls, ids } = await make([aMessage({ id: 's#big#1' }), aMessage({ id: 's#small#1' })]);
    const accept = controls.answer;
    controls.answer = (batch) =>
      JSON.stringify(batch).length > 1_048_576 ? sdkError('BatchRequestTooLong') : accept(batch);

    await sendOwed(deps, messages);

    expect(ids()).toEqual(['s#big#1', 's#small#1']);
    expect(await stage.items('outbox')).toMatchObject([{ id: 's#big#1', state: 'stuck' }]);
  });

  it('whose row was written anew meanwhile stay owed', async () => {
    const { stage, deps } = await make([aMessage({ createdAt: plus(T0, 999) })]);

    await sendOwed(deps, [aMessage()]);

    expect(await stage.items('outbox')).toMatchObject([{ createdAtMs: T0 + 999, state: 'new' }]);
  });

  it('whose row was written anew meanwhile are not put off', async () => {
    const { stage, deps, controls } = await make([aMessage({ createdAt: plus(T0, 999) })]);
    controls.answer = () => lostAnswer();

    await sendOwed(deps, [aMessage()]);

    expect(await stage.items('outbox')).toMatchObject([{ state: 'new', attempts: 0 }]);
  });

  it('keep to the characters that SQS takes', async () => {
    const message = aMessage({ payload: JSON.stringify('a\ufffeb\uffffc') });
    const { deps, batches } = await make([message]);

    await sendOwed(deps, [message]);

    const body = batches[0]?.Entries?.[0]?.MessageBody ?? '';
    expect(body).not.toMatch(/[\ufffe\uffff]/);
    expect(JSON.parse(body)).toBe('a\ufffeb\uffffc');
  });

  it('have ids of the kind that a FIFO queue takes, the same at every sending', async () => {
    const message = aMessage({ group: 'ä'.repeat(200) });
    const { deps, batches } = await make([message], true);

    await sendOwed(deps, [message]);
    await sendOwed(deps, [message]);

    const [first, second] = batches.map(({ Entries }) => Entries?.[0]);
    expect(first).toMatchObject({
      MessageDeduplicationId: expect.stringMatching(/^[0-9a-f]{64}$/),
      MessageGroupId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(second).toEqual(first);
  });
});

describe('a batch of the stream', () => {
  it('is done when every row is settled', async () => {
    const messages = many(25);
    const { stage, deps } = await make(messages);

    expect(await dispatchBatch(deps, records(messages), invocation)).toEqual({ batchItemFailures: [] });
    expect(await stage.items('outbox')).toEqual([]);
  });

  it('is done although a record cannot be read: its row is the sweep’s', async () => {
    const good = aMessage();
    const { deps, told, ids } = await make([good]);
    const odd: StreamRecord = {
      sequenceNumber: '99',
      row: { kind: 'unreadable', id: 'x', isStuck: false, reason: 'odd' },
    };

    expect(await dispatchBatch(deps, [odd, ...records([good])], invocation)).toEqual({ batchItemFailures: [] });
    expect(ids()).toEqual([good.id]);
    expect(told).toContainEqual(
      expect.objectContaining({ warning: expect.stringContaining('cannot be read'), id: 'x' }),
    );
  });

  it('is done although the queue takes nothing: the rows are the sweep’s', async () => {
    const messages = many(3);
    const { stage, deps, controls } = await make(messages);
    controls.answer = () => sdkError('QueueDoesNotExist');

    expect(await dispatchBatch(deps, records(messages), invocation)).toEqual({ batchItemFailures: [] });
    expect((await stage.items('outbox')).map(({ state }) => state)).toEqual(['retry', 'retry', 'retry']);
  });

  it('comes again from the first record whose row could not be settled', async () => {
    const messages = many(25);
    const { stage, deps } = await make(messages);
    stage.intercept(({ n, name }) =>
      name === 'DeleteItemCommand' && n > 30 + 15 ? { before: lostAnswer() } : undefined,
    );

    expect(await dispatchBatch(deps, records(messages), invocation)).toEqual({
      batchItemFailures: [{ itemIdentifier: '110' }],
    });
  });

  it('gives back what its time does not reach', async () => {
    const messages = many(12);
    const { deps, batches } = await make(messages);

    expect(await dispatchBatch(deps, records(messages), { endsAt: plus(T0, 2999) })).toEqual({
      batchItemFailures: [{ itemIdentifier: '100' }],
    });
    expect(batches).toEqual([]);
  });

  it('may come twice: the messages have the same ids', async () => {
    const messages = many(2);
    const { deps, ids } = await make(messages);

    await dispatchBatch(deps, records(messages), invocation);
    await dispatchBatch(deps, records(messages), invocation);

    expect(ids()).toEqual(['stripe#evt_0#1', 'stripe#evt_1#1', 'stripe#evt_0#1', 'stripe#evt_1#1']);
  });
});

describe('a record of the stream', () => {
  const image = {
    id: { S: 's#e#1' },
    topic: { S: 't' },
    payload: { S: '{}' },
    createdAtMs: { N: '5' },
    dueAtMs: { N: '5' },
    state: { S: 'new' },
    attempts: { N: '0' },
  };
  const event = (...images: readonly unknown[]) => ({
    Records: images.map((NewImage, n) => ({ eventName: 'INSERT', dynamodb: { SequenceNumber: String(n), NewImage } })),
  });

  it('is read from its new image', () => {
    expect(readRecords(event(image))).toMatchObject([
      { sequenceNumber: '0', row: { kind: 'owed', message: { id: 's#e#1', createdAt: 5 } } },
    ]);
  });

  it('of a removal is nothing to send', () => {
    expect(
      readRecords({ Records: [{ eventName: 'REMOVE', dynamodb: { SequenceNumber: '1', OldImage: image } }] }),
    ).toEqual([]);
  });

  it.each([
    { payload: { NULL: true } },
    { createdAtMs: { N: '-9007199254740998.25' } },
    { state: { S: 'odd' } },
    { attempts: { S: '0' } },
  ])('with %j stands between two good ones and stops neither', (odd) => {
    const kinds = readRecords(event(image, { ...image, ...odd }, image)).map(({ row }) => row.kind);

    expect(kinds).toEqual(['owed', 'unreadable', 'owed']);
  });

  it.each([{}, null, { Records: 'x' }])('does not come in %j', (odd) => {
    expect(() => readRecords(odd)).toThrow(TypeError);
  });
});
