import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { type Handler, stripe } from '../../../lambda/oncehook.ts';
import { createReceiver } from '../../support/receiver.ts';

const note: Handler<never> = async () => undefined;
const LIVE_SECRET = 'whsec_live-secret-of-tests';
const TEST_SECRET = 'whsec_test-secret-of-tests';

const sources = defineSources({
  unsaid: { provider: stripe(), on: { 'invoice.paid': note } },
  test: { provider: stripe({ mode: 'test' }), on: { 'invoice.paid': note } },
  live: { provider: stripe({ mode: 'live' }), on: { 'invoice.paid': note } },
  both: { provider: stripe({ mode: 'both' }), on: { 'invoice.paid': note } },
});
const secrets = Object.fromEntries([...sources.keys()].map((name) => [name, [LIVE_SECRET, TEST_SECRET]]));

const event = (id: string, livemode: unknown): string => JSON.stringify({ id, type: 'invoice.paid', livemode });

describe('a Stripe source', () => {
  it.each([
    ['unsaid', false, 200],
    ['unsaid', true, 400],
    ['test', false, 200],
    ['test', true, 400],
    ['live', true, 200],
    ['live', false, 400],
    ['both', true, 200],
    ['both', false, 200],
  ])('%s answers an event whose livemode is %s with %i', async (source, livemode, status) => {
    const receiver = await createReceiver(sources, secrets);

    const answered = await receiver.sendSigned(source, { body: event('evt_1', livemode) });

    expect(answered.statusCode).toBe(status);
    expect(await receiver.stage.items('inbox')).toHaveLength(status === 200 ? 1 : 0);
  });

  it('of live events refuses a test event signed with the live secret, and says why to the operator alone', async () => {
    const receiver = await createReceiver(sources, secrets);

    const answered = await receiver.sendSigned('live', { body: event('evt_1', false), secret: LIVE_SECRET });

    expect(answered.body).toBe('{"outcome":"malformed"}');
    expect(receiver.rejections).toEqual([
      {
        kind: 'malformed',
        reason: 'livemode is false, and this source takes live events alone: see the option mode of stripe()',
      },
    ]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it('refuses a live event that says it is one by anything but true', async () => {
    const receiver = await createReceiver(sources, secrets);

    for (const livemode of ['true', 1, null, {}]) {
      expect((await receiver.sendSigned('live', { body: event('evt_1', livemode) })).statusCode).toBe(400);
    }
  });

  it('keeps the same id of two sources apart, so each mode has its own', async () => {
    const receiver = await createReceiver(sources, secrets);

    await receiver.sendSigned('test', { body: event('evt_1', false) });
    await receiver.sendSigned('live', { body: event('evt_1', true) });

    expect(receiver.outcomes.map(({ kind }) => kind)).toEqual(['processed', 'processed']);
    expect((await receiver.stage.items('inbox')).map((row) => row['id'])).toEqual(['test#evt_1', 'live#evt_1']);
  });

  it('takes an event that says nothing of a mode', async () => {
    const receiver = await createReceiver(sources, secrets);

    expect((await receiver.sendSigned('live', { body: event('evt_1', undefined) })).statusCode).toBe(200);
  });

  it('knows three modes', () => {
    expect(() => Reflect.apply(stripe, undefined, [{ mode: 'prod' }])).toThrow(/mode to be 'test', 'live' or 'both'/);
  });
});
