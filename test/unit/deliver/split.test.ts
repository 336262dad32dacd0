import { describe, expect, it } from 'vitest';
import { workThrough } from '../../../lambda/work/work-through.ts';
import { aDeliverer, aMessage, anInvocation, aTarget } from './a-deliverer.ts';

const everything = aTarget({ name: 'audit' });
const receipts = aTarget({ name: 'mail', topics: ['receipt.requested'] });
const refunds = aTarget({ name: 'bank', topics: ['refund.requested'] });

describe('a message of the outbox queue', () => {
  it('becomes one for each target that wants its topic, and is done', async () => {
    const { deliver, sent, posts } = aDeliverer([everything, receipts, refunds]);

    expect(await deliver(aMessage({ group: 'acct-1' }), anInvocation())).toBe('done');

    const message = { id: 'shop#e1#1', topic: 'receipt.requested', group: 'acct-1', payload: '{"amount":5}' };
    expect(sent).toEqual([
      [
        { ...message, target: 'audit' },
        { ...message, target: 'mail' },
      ],
    ]);
    expect(posts).toEqual([]);
  });

  it('that no target wants is done, and said to be', async () => {
    const { deliver, sent, told } = aDeliverer([refunds]);

    expect(await deliver(aMessage(), anInvocation())).toBe('done');

    expect(sent).toEqual([]);
    expect(told).toEqual([{ unwanted: 'shop#e1#1', topic: 'receipt.requested' }]);
  });

  it('stays until the queue has the one for each target, and is split again as before', async () => {
    const { deliver, sent, told, controls } = aDeliverer([everything, receipts]);
    controls.send = () => [{ kind: 'sent' }, { kind: 'not-sent', reason: 'InternalError' }];

    expect(await deliver(aMessage(), anInvocation())).toBe('keep');
    controls.send = (messages) => messages.map(() => ({ kind: 'sent' }));
    expect(await deliver(aMessage({}, { receives: 2 }), anInvocation())).toBe('done');

    expect(sent[1]).toEqual(sent[0]);
    expect(told).toEqual([
      {
        warning: 'a message could not be queued for every target',
        messageId: 'shop#e1#1',
        topic: 'receipt.requested',
        reason: 'mail: InternalError',
      },
    ]);
  });

  it('stays when the queue says nothing of it', async () => {
    const { deliver, controls } = aDeliverer();
    controls.send = () => [];

    expect(await deliver(aMessage(), anInvocation())).toBe('keep');
  });

  it('stays alone: the others of its batch are done', async () => {
    const { deliver, controls } = aDeliverer();
    controls.send = ([message]) =>
      message?.id === 'shop#e2#1' ? [{ kind: 'not-sent', reason: 'InternalError' }] : [{ kind: 'sent' }];
    const batch = [1, 2, 3].map((n) => aMessage({ id: `shop#e${n}#1` }, { messageId: `m-${n}` }));

    const answer = await workThrough(batch, (message) => deliver(message, anInvocation()));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-2' }] });
  });

  it('holds back those that come after it in its FIFO group', async () => {
    const { deliver, sent, controls } = aDeliverer();
    controls.send = () => [{ kind: 'not-sent', reason: 'InternalError' }];
    const batch = [1, 2].map((n) => aMessage({ id: `shop#e${n}#1` }, { messageId: `m-${n}`, groupId: 'g' }));

    const answer = await workThrough(batch, (message) => deliver(message, anInvocation()));

    expect(answer.batchItemFailures).toHaveLength(2);
    expect(sent).toHaveLength(1);
  });

  it('waits for another invocation when this one is about to end', async () => {
    const { deliver, sent } = aDeliverer();

    expect(await deliver(aMessage(), anInvocation(AbortSignal.abort()))).toBe('keep');
    expect(sent).toEqual([]);
  });

  it.each(['id', 'topic'])('without its %s is none of the outbox, and stays for its DLQ', async (missing) => {
    const { deliver, sent, told } = aDeliverer();
    const { [missing]: _gone, ...attributes } = aMessage().attributes;

    expect(await deliver(aMessage({}, { attributes }), anInvocation())).toBe('keep');
    expect(sent).toEqual([]);
    expect(told).toEqual([{ warning: 'a message is none of the outbox', sqsMessageId: 'm-1' }]);
  });
});
