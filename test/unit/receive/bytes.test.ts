import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../lambda/core/inbox-key.ts';
import { bodyOf, event, handled, make } from './a-receiver.ts';

describe('bytes', () => {
  const sign = (bytes: string | Uint8Array): string =>
    createHmac('sha256', 'test-secret-1').update(bytes).digest('hex');

  it.each([
    ['escapes and 1.0', '{"id":"evt_1","type":"note","amount":1.0,"note":"a\\/b","who":"\\u00e9"}'],
    ['escapes of other cases', '{"id":"evt_5","type":"note","a":"\\u2028\\u00E9\\u00e9","b":"\\u001b[0m"}'],
    ['an emoji', '{"id":"evt_4","type":"note","msg":"deploy 🚢 ŁÓDŹ"}'],
    ['CRLF and a final line feed', '{\r\n  "id": "evt_7", "type": "note"\r\n}\n'],
    ['a byte order mark', '\uFEFF{"id":"evt_8","type":"note"}'],
  ])('with %s are verified and hashed as they came, as text and as base64', async (_case, text) => {
    const receiver = await make();
    const headers = { 'x-signature': `sha256=${sign(text)}` };

    const asText = await receiver.send('plain', { body: text, headers });
    const asBase64 = await receiver.send('plain', { body: Buffer.from(text), headers });

    expect([asText, asBase64].map((answer) => answer.headers['x-oncehook-outcome'])).toEqual([
      'processed',
      'duplicate',
    ]);
    expect(handled[0]?.raw).toBe(Buffer.from(text).toString('base64'));
    expect((await receiver.stage.items('inbox'))[0]).toMatchObject({ bodyHash: sha256Hex(Buffer.from(text)) });
  });

  it('that lost their carriage returns on the way are refused', async () => {
    const receiver = await make();
    const headers = { 'x-signature': `sha256=${sign('{\r\n"id":"evt_7","type":"note"}')}` };

    const answer = await receiver.send('plain', { body: '{\n"id":"evt_7","type":"note"}', headers });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([401, { outcome: 'unauthenticated' }]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it.each(['true', 1, undefined])('are not decoded when isBase64Encoded is %j', async (flag) => {
    const receiver = await make();
    const body = event('e1');

    const answer = await receiver.sendSigned('plain', { body, event: { isBase64Encoded: flag } });

    expect(bodyOf(answer)).toMatchObject({ outcome: 'processed' });
  });

  it('keep every digit of an integer beyond 2^53', async () => {
    const receiver = await make();

    await receiver.sendSigned('plain', { body: '{"id":9123456789654321,"type":"note","price":0.1}' });

    expect(handled[0]).toMatchObject({ id: '9123456789654321', body: { id: 9_123_456_789_654_321n, price: 0.1 } });
  });

  it('with a repeated key mean the last one, for identity and handler alike', async () => {
    const receiver = await make();

    await receiver.sendSigned('plain', { body: '{"id":"x","id":"evt_5b","type":"note"}' });

    expect(handled[0]).toMatchObject({ id: 'evt_5b', body: { id: 'evt_5b' } });
  });

  it('with __proto__ in them change no other object', async () => {
    const receiver = await make();

    await receiver.sendSigned('plain', {
      body: '{"id":"p1","type":"note","__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}',
    });
    await receiver.sendSigned('plain', { body: event('p2') });

    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(handled[1]?.body).not.toHaveProperty('isAdmin');
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a number', '42'],
    ['nothing', ''],
    ['white space', '   '],
    ['half an object', '{"id":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['no type', '{"id":"e1"}'],
  ])('that are %s are malformed and write nothing', async (_case, body) => {
    const receiver = await make();

    const answer = await receiver.sendSigned('plain', { body });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([400, { outcome: 'malformed' }]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it.each([
    [1000, 200],
    [1001, 413],
  ])('of %d decoded bytes are answered %d', async (size, status) => {
    const receiver = await make();
    const body = Buffer.from(event('e1', { pad: '' }));
    const padded = Buffer.from(event('e1', { pad: 'x'.repeat(size - body.length) }));

    expect(padded).toHaveLength(size);
    expect((await receiver.sendSigned('plain', { body: padded })).statusCode).toBe(status);
    expect(receiver.secretReads()).toBe(status === 200 ? 1 : 0);
  });
});

describe('JSON', () => {
  it.each([{ 'content-type': 'text/plain; charset=UTF-8' }, {}])(
    'is read whatever the content type says: %j',
    async (headers) => {
      const receiver = await make();

      expect((await receiver.sendSigned('plain', { body: event('evt_18'), headers })).statusCode).toBe(200);
    },
  );
});
