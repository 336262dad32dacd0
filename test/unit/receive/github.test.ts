import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { github, type Handler } from '../../../lambda/oncehook.ts';
import { createReceiver } from '../../support/receiver.ts';
import { bodyOf, handled, make } from './a-receiver.ts';

describe('GitHub', () => {
  const send = async (body: string, headers: Record<string, string>) => {
    const receiver = await make();
    const answer = await receiver.sendSigned('github', { body, headers: { 'x-github-delivery': 'd-1', ...headers } });
    await receiver.work();
    return answer;
  };

  it.each(['application/x-www-form-urlencoded', 'application/json'])(
    'may post a form with one field payload, even as %s',
    async (contentType) => {
      const answer = await send('payload=%7B%22ref%22%3A%22x%22%7D', {
        'x-github-event': 'push',
        'content-type': contentType,
      });

      expect(bodyOf(answer)).toMatchObject({ outcome: 'queued' });
      expect(handled[0]?.body).toEqual({ ref: 'x' });
    },
  );

  it('cannot be read as another event by a content type that nobody signed', async () => {
    const json = `{"ref":"x","title":"a&payload=${encodeURIComponent('{"ref":"forged"}')}&b"}`;

    await send(json, { 'x-github-event': 'push', 'content-type': 'application/x-www-form-urlencoded' });

    expect(handled[0]?.body).toEqual(JSON.parse(json));
  });

  it.each(['payload=', 'payload=%7B', 'x=1&payload=%7B%7D'])('with the form %s is malformed', async (form) => {
    expect((await send(form, { 'x-github-event': 'push' })).statusCode).toBe(400);
  });

  it('posts an action, and the handler of the event as a whole sees it', async () => {
    await send('{"action":"opened"}', { 'x-github-event': 'issues' });

    expect(handled[0]).toMatchObject({ type: 'issues.opened' });
  });

  it('signs with the second of two secrets during a rotation', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('github', {
      secret: 'test-secret-0',
      body: '{}',
      headers: { 'x-github-event': 'push', 'x-github-delivery': 'd-2' },
    });

    expect(answer.statusCode).toBe(200);
    expect(receiver.ended).toMatchObject([{ eventId: 'd-2', secretIndex: 1 }]);
  });

  it('sends an event again after a failed attempt, and it is applied once', async () => {
    let attempts = 0;
    const push: Handler<never> = async ({ id }, work) => {
      attempts += 1;
      if (attempts === 1) throw new Error('the ledger is closed');
      work.emit('noted', { id });
    };
    const receiver = await createReceiver(defineSources({ github: { provider: github(), on: { push } } }), {
      github: ['test-secret-1'],
    });
    const delivery = { body: '{}', headers: { 'x-github-event': 'push', 'x-github-delivery': 'd-1' } };
    await receiver.sendSigned('github', delivery);
    await receiver.work();

    await receiver.sendSigned('github', delivery);
    await receiver.workAll();
    receiver.clock.advance(3_600_000);
    await receiver.workAll();

    expect(receiver.endings().map(({ kind }) => kind)).toEqual(['failed', 'processed', 'duplicate']);
    expect(await receiver.stage.items('inbox')).toMatchObject([{ status: 'processed', attempts: 2, failures: 1 }]);
    expect(await receiver.stage.items('outbox')).toHaveLength(1);
  });
});
