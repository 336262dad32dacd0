import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { createDeliveriesQueue } from '../../../lambda/adapters/sqs/deliveries-queue.ts';
import type { AddressedMessage } from '../../../lambda/core/deliver-ports.ts';

type Batch = SendMessageBatchCommand['input'];

/** The queue over a client that notes each batch, and answers as the test says. */
function aQueue(isFifo = false, answer: (batch: Batch) => unknown = takeAll) {
  const batches: Batch[] = [];
  const client = {
    async send({ input }: SendMessageBatchCommand) {
      batches.push(input);
      const answered = answer(input);
      if (answered instanceof Error) throw answered;
      return answered;
    },
  };
  const queue = createDeliveriesQueue(client as unknown as Pick<SQSClient, 'send'>, {
    url: 'https://queue.example/deliveries',
    isFifo,
  });
  return { queue, batches };
}

const takeAll = ({ Entries = [] }: Batch) => ({ Successful: Entries.map(({ Id }) => ({ Id })) });

const aMessage = (changes: Partial<AddressedMessage> = {}): AddressedMessage => ({
  id: 'shop#e1#1',
  topic: 'receipt.requested',
  group: undefined,
  payload: '{"amount":5}',
  target: 'billing',
  ...changes,
});
const many = (count: number, changes: Partial<AddressedMessage> = {}) =>
  Array.from({ length: count }, (_, n) => aMessage({ target: `target-${n}`, ...changes }));

describe('messages for targets', () => {
  it('say beside the payload what they are and whom they are for', async () => {
    const { queue, batches } = aQueue();

    await queue.send([aMessage({ group: 'acct-1' })]);

    expect(batches).toEqual([
      {
        QueueUrl: 'https://queue.example/deliveries',
        Entries: [
          {
            Id: '0',
            MessageBody: '{"amount":5}',
            MessageAttributes: {
              id: { DataType: 'String', StringValue: 'shop#e1#1' },
              topic: { DataType: 'String', StringValue: 'receipt.requested' },
              group: { DataType: 'String', StringValue: 'acct-1' },
              target: { DataType: 'String', StringValue: 'billing' },
            },
          },
        ],
      },
    ]);
  });

  it.each([
    [10, [10]],
    [11, [10, 1]],
  ])('go ten at a time: %d', async (count, sizes) => {
    const { queue, batches } = aQueue();

    const results = await queue.send(many(count));

    expect(batches.map(({ Entries }) => Entries?.length)).toEqual(sizes);
    expect(results).toEqual(many(count).map(() => ({ kind: 'sent' })));
  });

  it.each([
    // Two fit 1 MiB to the byte: of each, 65 bytes are names, types and values beside the payload.
    [524_288 - 65, [2]],
    [524_288 - 64, [1, 1]],
  ])('go in as many batches as their bytes need: %d bytes', async (bytes, sizes) => {
    const { queue, batches } = aQueue();

    await queue.send(many(2, { payload: JSON.stringify('x'.repeat(bytes - 2)) }));

    expect(batches.map(({ Entries }) => Entries?.length)).toEqual(sizes);
  });

  it('have each its own ending, and one that is not mentioned was not sent', async () => {
    const { queue } = aQueue(false, () => ({
      Successful: [{ Id: '1' }],
      Failed: [{ Id: '0', Code: 'InternalError' }],
    }));

    expect(await queue.send(many(3))).toEqual([
      { kind: 'not-sent', reason: 'InternalError' },
      { kind: 'sent' },
      { kind: 'not-sent', reason: 'not mentioned in the answer' },
    ]);
  });

  it('were not sent when SQS does not answer', async () => {
    const { queue } = aQueue(false, () => Object.assign(new Error('silence'), { name: 'TimeoutError' }));

    expect(await queue.send(many(2))).toEqual([
      { kind: 'not-sent', reason: 'TimeoutError' },
      { kind: 'not-sent', reason: 'TimeoutError' },
    ]);
  });
});

describe('messages for targets in a FIFO queue', () => {
  const idsOf = async (...messages: readonly AddressedMessage[]) => {
    const { queue, batches } = aQueue(true);
    await queue.send(messages);
    return batches.flatMap(({ Entries = [] }) =>
      Entries.map(({ MessageGroupId: group = '', MessageDeduplicationId: id = '' }) => ({ group, id })),
    );
  };

  it('keep the order of a group at each target, and wait for no other target', async () => {
    const [first, second, elsewhere] = await idsOf(
      aMessage({ id: 'shop#e1#1', group: 'acct-1' }),
      aMessage({ id: 'shop#e2#1', group: 'acct-1' }),
      aMessage({ id: 'shop#e1#1', group: 'acct-1', target: 'mail' }),
    );

    expect(first?.group).toBe(second?.group);
    expect(first?.group).not.toBe(elsewhere?.group);
    expect(new Set([first?.id, second?.id, elsewhere?.id]).size).toBe(3);
    expect(Object.values({ ...first }).every((id) => /^[0-9a-f]{64}$/.test(id))).toBe(true);
  });

  it('without a group wait for nobody', async () => {
    const [first, second, grouped] = await idsOf(
      aMessage({ id: 'shop#e1#1' }),
      aMessage({ id: 'shop#e2#1' }),
      aMessage({ id: 'shop#e3#1', group: 'shop#e1#1' }),
    );

    expect(new Set([first?.group, second?.group, grouped?.group]).size).toBe(3);
  });

  it('are the same messages when they are split again', async () => {
    expect(await idsOf(aMessage())).toEqual(await idsOf(aMessage()));
  });
});
