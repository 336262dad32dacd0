import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Handler, RetryLater } from '../../lambda/oncehook.ts';
import { attempt } from '../../lambda/testing.ts';

const mailing: Handler<{ readonly to: string }> = async (event, work) => {
  const mail = await work.step('mail', async (key) => ({ id: `mail-${key.slice(0, 4)}` }));
  work.emit('mailed', { to: event.body.to, id: mail.id }, { group: event.body.to });
  return { mail: mail.id };
};

describe('attempt', () => {
  it('returns what the handler asked for', async () => {
    const attempted = await attempt(mailing, { body: { to: 'a@example.com' }, id: 'evt_1', source: 'stripe' });

    expect(attempted).toMatchObject({
      outcome: 'committed',
      error: undefined,
      writes: [],
      steps: { mail: { id: expect.any(String) } },
    });
    expect(attempted.messages).toEqual([
      { topic: 'mailed', payload: { to: 'a@example.com', id: attempted.result?.['mail'] }, group: 'a@example.com' },
    ]);
  });

  it('does not run a step that an earlier attempt finished', async () => {
    const attempted = await attempt(mailing, { body: { to: 'a' } }, { finishedSteps: { mail: { id: 'from-before' } } });

    expect(attempted.steps).toEqual({});
    expect(attempted.result).toEqual({ mail: 'from-before' });
  });

  it('gives a step the same key for the same event', async () => {
    const sample = { body: { to: 'a' }, id: 'evt_1' };

    expect((await attempt(mailing, sample)).steps).toEqual((await attempt(mailing, sample)).steps);
  });

  it.each([
    ['failed', new Error('boom')],
    ['retry-later', new RetryLater(5, 'not yet')],
  ])('says that an attempt %s and with what error', async (outcome, error) => {
    expect(await attempt(() => Promise.reject(error), { body: {} })).toMatchObject({ outcome, error });
  });

  it('shows a mistake that would be refused in production', async () => {
    const attempted = await attempt(async (_event, work) => work.emit('t', { when: new Date(0) } as never), {
      body: {},
    });

    expect(attempted).toMatchObject({
      outcome: 'permanent',
      error: { message: expect.stringContaining('payload.when') },
      messages: [],
    });
  });

  it('validates the body where the rule has a schema', async () => {
    const schema = v.object({ to: v.string() });

    expect((await attempt({ handle: mailing, schema }, { body: { to: 'a' } })).outcome).toBe('committed');
    expect((await attempt({ handle: mailing, schema }, { body: { to: 1 as never } })).outcome).toBe('permanent');
  });
});
