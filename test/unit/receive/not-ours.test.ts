import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyOf, event, make } from './a-receiver.ts';

describe('a request that is not ours', () => {
  it('for an unknown source is answered 404', async () => {
    const receiver = await make();

    expect((await receiver.send('nobody', { body: '{}' })).statusCode).toBe(404);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('by %s is answered 405', async (method) => {
    const receiver = await make();

    const answer = await receiver.send('plain', { body: '', method });

    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST']);
  });

  it.each([
    undefined,
    '',
    'sha256=',
    'sha256=abcd',
    `sha1=${'a'.repeat(40)}`,
    'a'.repeat(10_240),
    `sha256=${'0'.repeat(64)}`,
  ])('with the signature %.20j is answered 401 without a DynamoDB call', async (signature) => {
    const receiver = await make();

    const answer = await receiver.send('plain', {
      body: event('e1'),
      headers: signature === undefined ? {} : { 'x-signature': signature },
    });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([401, { outcome: 'unauthenticated' }]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it('cannot make the genuine event look like a duplicate', async () => {
    const receiver = await make();
    for (let n = 0; n < 100; n += 1)
      await receiver.send('plain', { body: event('evt_8'), headers: { 'x-signature': `sha256=${'0'.repeat(64)}` } });

    expect(bodyOf(await receiver.sendSigned('plain', { body: event('evt_8') }))).toMatchObject({
      outcome: 'processed',
    });
  });

  it('without a signature costs no secret read', async () => {
    const receiver = await make();

    await receiver.send('plain', { body: event('e1') });

    expect(receiver.secretReads()).toBe(0);
  });

  it('with a doubled signature header is refused', async () => {
    const receiver = await make();
    const signature = `sha256=${createHmac('sha256', 'test-secret-1').update(event('e1')).digest('hex')}`;

    expect(
      (
        await receiver.send('plain', {
          body: event('e1'),
          headers: { 'x-signature': signature, 'X-Signature': signature },
        })
      ).statusCode,
    ).toBe(401);
  });
});
