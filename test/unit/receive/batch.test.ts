import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { sha256Hex } from '../../../lambda/core/inbox-key.ts';
import { type Handler, hmac } from '../../../lambda/oncehook.ts';
import { MAX_EVENTS } from '../../../lambda/providers/batch.ts';
import { TABLES } from '../../support/dynamodb-stage.ts';
import { createReceiver } from '../../support/receiver.ts';
import { bodyOf, make, SHOP } from './a-receiver.ts';

const BATCH = { ...SHOP, batch: '$' } as const;

describe('a batch', () => {
  const item = (id: string | undefined, type = 'note') => ({ id, type });

  it('applies each event once, also one that is in it twice, and answers for each', async () => {
    const receiver = await make();
    await receiver.sendSigned('batch', { body: JSON.stringify([item('e2')]) });

    const answer = await receiver.sendSigned('batch', {
      body: JSON.stringify([item('e1'), item('e2'), item('e1'), item('e3')]),
    });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([
      200,
      {
        outcome: 'processed',
        events: [
          { outcome: 'processed', eventId: 'e1' },
          { outcome: 'duplicate', eventId: 'e2' },
          { outcome: 'duplicate', eventId: 'e1' },
          { outcome: 'processed', eventId: 'e3' },
        ],
      },
    ]);
    expect(await receiver.stage.items('inbox')).toHaveLength(3);
  });

  it.each([
    [MAX_EVENTS, 200, 'queued'],
    [MAX_EVENTS + 1, 413, 'too-large'],
  ])('of %d events is answered %d', async (count, status, outcome) => {
    const sources = defineSources({ batch: { provider: hmac(BATCH), on: { note: async () => {} } } });
    const receiver = await createReceiver(sources, { batch: ['test-secret-1'] }, 1_000_000);
    const body = `[${Array.from({ length: count }, (_, n) => `{"id":"${n}","type":"note"}`).join(',')}]`;

    const answer = await receiver.sendSigned('batch', { body });

    expect([answer.statusCode, bodyOf(answer)]).toMatchObject([status, { outcome }]);
    expect(receiver.queued()).toHaveLength(status === 200 ? count : 0);
  });

  it('answers the worst of its events, and the redelivery finds the others done', async () => {
    const receiver = await make();
    const body = JSON.stringify([item('e1'), item('e2', 'fail'), item('e3')]);

    const first = await receiver.sendSigned('batch', { body });
    const second = await receiver.sendSigned('batch', { body });

    expect([first.statusCode, second.statusCode]).toEqual([500, 500]);
    expect(bodyOf(second)).toMatchObject({
      outcome: 'failed',
      events: [{ outcome: 'duplicate' }, { outcome: 'failed' }, { outcome: 'duplicate' }],
    });
  });

  it('names an event without an id by the delivery and its place in it', async () => {
    const receiver = await make();
    const body = JSON.stringify([item(undefined), item(undefined)]);

    const answer = await receiver.sendSigned('batch', { body });

    expect(bodyOf(answer)).toMatchObject({
      events: [{ eventId: `body_${sha256Hex(body)}_0` }, { eventId: `body_${sha256Hex(body)}_1` }],
    });
  });

  it('loses none of its events to an item beside them that names none', async () => {
    const receiver = await make();
    const body = JSON.stringify([item('e1'), { id: 'e2' }, null, item('e3')]);

    const answer = await receiver.sendSigned('batch', { body });
    const again = await receiver.sendSigned('batch', { body });

    const unusable = [1, 2].map((index) => ({ outcome: 'malformed', eventId: `body_${sha256Hex(body)}_${index}` }));
    expect([answer.statusCode, bodyOf(answer)]).toEqual([
      400,
      {
        outcome: 'malformed',
        events: [{ outcome: 'processed', eventId: 'e1' }, ...unusable, { outcome: 'processed', eventId: 'e3' }],
      },
    ]);
    expect(bodyOf(again)).toMatchObject({
      events: [{ outcome: 'duplicate' }, ...unusable, { outcome: 'duplicate' }],
    });
    expect(receiver.outcomes[1]).toEqual({ kind: 'malformed', reason: 'the event has no type' });
    expect(receiver.ended[1]).toEqual({
      source: 'batch',
      eventId: `body_${sha256Hex(body)}_1`,
      type: undefined,
      secretIndex: 0,
    });
    expect(receiver.rejections).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['gives no text', { object: { name: 7 } }, 'the id override of the source gave no text'],
    ['gives a blank', { object: { name: ' ' } }, 'the id override of the source gave no text'],
    ['throws', {}, 'the id override of the source failed: TypeError'],
  ])('loses none of its events to an item for which the id override %s', async (_case, more, reason) => {
    const receiver = await make();

    const answer = await receiver.sendSigned('batch-twins', {
      body: JSON.stringify([
        { ...item('e1'), ...more },
        { ...item('e2'), object: { name: 'o2' } },
      ]),
    });

    expect([answer.statusCode, bodyOf(answer)]).toMatchObject([
      400,
      { events: [{ outcome: 'malformed' }, { outcome: 'processed', eventId: 'o2' }] },
    ]);
    expect(receiver.outcomes[0]).toMatchObject({ kind: 'malformed', reason: expect.stringContaining(reason) });
  });

  it('with a failed event beside an unusable one answers the failure', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('batch', { body: JSON.stringify([{ id: 'e1' }, item('e2', 'fail')]) });

    expect(answer.statusCode).toBe(500);
  });

  it('in which nothing names an event is rejected as a whole', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('batch', { body: '[{"id":"e1"},7]' });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([400, { outcome: 'malformed' }]);
    expect(receiver.rejections).toEqual([{ kind: 'malformed', reason: 'the event has no type' }]);
    expect(receiver.ended).toEqual([]);
  });

  it.each(['[]', '{}'])('that is %s is malformed', async (body) => {
    const receiver = await make();

    expect((await receiver.sendSigned('batch', { body })).statusCode).toBe(400);
  });

  it('of three events, two of them of one account, applies all three', async () => {
    const credit: Handler<{ readonly account: string; readonly amount: number }> = async ({ id, body }, work) => {
      work.write({
        Update: {
          TableName: TABLES.accounts,
          Key: { accountId: body.account },
          UpdateExpression: 'ADD balance :amount',
          ExpressionAttributeValues: { ':amount': body.amount },
        },
      });
      work.emit('noted', { id });
    };
    const receiver = await createReceiver(
      defineSources({ batch: { provider: hmac(BATCH), on: { note: credit }, process: 'inline' } }),
      { batch: ['test-secret-1'] },
    );
    const events = [
      { ...item('e1'), account: 'A', amount: 10 },
      { ...item('e2'), account: 'A', amount: 5 },
      { ...item('e3'), account: 'B', amount: 1 },
    ];

    const answer = await receiver.sendSigned('batch', { body: JSON.stringify(events) });

    expect(answer.statusCode).toBe(200);
    expect(await receiver.stage.items('accounts')).toEqual([
      { accountId: 'A', balance: 15 },
      { accountId: 'B', balance: 1 },
    ]);
    expect(await receiver.stage.items('inbox')).toHaveLength(3);
    expect(await receiver.stage.items('outbox')).toHaveLength(3);
  });

  it('of five hundred events is queued as five hundred, and each is applied once over two deliveries', async () => {
    const EVENTS = 500;
    const ids = Array.from({ length: EVENTS }, (_, n) => `e${n}`);
    const receiver = await createReceiver(
      defineSources({ batch: { provider: hmac(BATCH), on: { note: async () => {} } } }),
      { batch: ['test-secret-1'] },
      100_000,
    );
    const body = JSON.stringify(ids.map((id) => item(id)));

    const answers = [await receiver.sendSigned('batch', { body }), await receiver.sendSigned('batch', { body })];
    await receiver.workAll();

    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['x-oncehook-outcome']])).toEqual([
      [200, 'queued'],
      [200, 'queued'],
    ]);
    const applied = receiver.endings().filter(({ kind }) => kind === 'processed');
    expect(applied.map(({ eventId }) => eventId).toSorted()).toEqual(ids.toSorted());
    expect(receiver.endings().filter(({ kind }) => kind === 'duplicate')).toHaveLength(EVENTS);
  });
});
