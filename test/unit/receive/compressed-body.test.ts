import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../lambda/core/inbox-key.ts';
import { bodyOf, event, make } from './a-receiver.ts';

describe('a compressed body', () => {
  const json = Buffer.from(event('evt_9'));
  const zipped = gzipSync(json);
  const headers = { 'content-encoding': 'gzip' };
  const signed = (bytes: Uint8Array) => ({
    ...headers,
    'x-signature': `sha256=${createHmac('sha256', 'test-secret-1').update(bytes).digest('hex')}`,
  });

  it.each([
    ['plain', zipped, 200],
    ['plain', json, 401],
    ['inflated', json, 200],
    ['inflated', zipped, 401],
  ])('is verified over what the source %s says is signed', async (source, over, status) => {
    const receiver = await make();

    expect((await receiver.send(source, { body: zipped, headers: signed(over) })).statusCode).toBe(status);
  });

  it('without an id is named by what is signed, however it is compressed', async () => {
    const receiver = await make();
    const unnamed = Buffer.from('{"type":"note"}');
    const send = (level: number) =>
      receiver.send('inflated', { body: gzipSync(unnamed, { level }), headers: signed(unnamed) });

    const answers = [await send(0), await send(9)];

    const eventId = `body_${sha256Hex(unnamed)}`;
    expect(answers.map(bodyOf)).toEqual([
      { outcome: 'processed', eventId },
      { outcome: 'duplicate', eventId },
    ]);
  });

  it.each(['plain', 'inflated'])('that inflates past the limit is cut off with 413 at %s', async (source) => {
    const receiver = await make();
    const bomb = gzipSync(Buffer.alloc(500_000));

    const answer = await receiver.send(source, { body: bomb, headers: signed(bomb) });

    expect(answer.statusCode).toBe(413);
    expect(receiver.stage.calls).toEqual([]);
  });

  it.each([
    [1000, 200],
    [1001, 413],
  ])('of %d inflated bytes is answered %d', async (size, status) => {
    const receiver = await make();
    const body = gzipSync(event('e1', { pad: 'x'.repeat(size - Buffer.byteLength(event('e1', { pad: '' }))) }));

    expect((await receiver.sendSigned('plain', { body, headers })).statusCode).toBe(status);
  });

  it.each(['br', 'gzip, gzip', 'constructor', '__proto__', 'hasOwnProperty', 'tostring'])(
    'in the encoding %s, which nobody knows, is answered 415 before anything is read',
    async (encoding) => {
      const receiver = await make();

      const answer = await receiver.sendSigned('plain', {
        body: event('e1'),
        headers: { 'content-encoding': encoding },
      });

      expect([answer.statusCode, bodyOf(answer), receiver.secretReads()]).toEqual([
        415,
        { outcome: 'unknown-encoding' },
        0,
      ]);
    },
  );

  it('that is not what it says is malformed', async () => {
    const receiver = await make();

    expect((await receiver.sendSigned('plain', { body: event('e1'), headers })).statusCode).toBe(400);
  });
});
