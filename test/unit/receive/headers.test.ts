import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyOf, handled, make } from './a-receiver.ts';

describe('headers', () => {
  it.each(['x-hub-signature-256', 'X-Hub-Signature-256', 'X-HUB-SIGNATURE-256'])(
    'are found whatever their case: %s',
    async (name) => {
      const receiver = await make();
      const body = '{"ref":"x"}';
      const signature = `sha256=${createHmac('sha256', 'test-secret-1').update(body).digest('hex')}`;

      const answer = await receiver.send('github', {
        body,
        headers: { [name]: signature, 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': 'd-1' },
      });

      expect(bodyOf(answer)).toEqual({ outcome: 'queued', eventId: 'd-1' });
    },
  );

  it('that authenticate never reach a handler', async () => {
    const receiver = await make();

    await receiver.sendSigned('github', {
      body: '{"ref":"x"}',
      headers: {
        'x-github-event': 'push',
        'x-github-delivery': 'd-1',
        authorization: 'Bearer canary',
        cookie: 'canary',
      },
    });
    await receiver.work();

    expect(handled[0]?.headers).toEqual({ 'x-github-event': 'push', 'x-github-delivery': 'd-1' });
  });
});
