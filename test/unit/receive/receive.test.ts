import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { OncehookError } from '../../../lambda/core/errors.ts';
import { sha256Hex } from '../../../lambda/core/inbox-key.ts';
import { days } from '../../../lambda/core/time.ts';
import { github, type Handler, hmac, standardWebhooks, stripe } from '../../../lambda/oncehook.ts';
import { sdkError } from '../../support/protocol.ts';
import { createReceiver, type Receiver } from '../../support/receiver.ts';

const handled: {
  body: unknown;
  id: string;
  type: string;
  raw: string;
  headers: unknown;
  occurredAt: string | undefined;
}[] = [];
const note: Handler<never> = async (event, work) => {
  handled.push({
    body: event.body,
    id: event.id,
    type: event.type,
    raw: Buffer.from(event.rawBody).toString('base64'),
    headers: event.headers,
    occurredAt: event.occurredAt,
  });
  work.emit('noted', { id: event.id });
};
const fail: Handler<never> = async () => {
  throw new Error('boom');
};

const plain = {
  header: 'X-Signature',
  prefix: 'sha256=',
  id: '$.id',
  type: '$.type',
  redelivers: true,
} as const;

const sources = defineSources({
  stripe: { provider: stripe(), on: { 'invoice.paid': note } },
  github: { provider: github(), on: { push: note, issues: note } },
  bazaar: { provider: standardWebhooks(), on: { note } },
  plain: { provider: hmac(plain), on: { note } },
  batch: { provider: hmac({ ...plain, batch: '$' }), on: { note, fail }, process: 'inline', onFailure: 'ask-provider' },
  asking: { provider: hmac(plain), on: { fail }, onFailure: 'ask-provider' },
  inflated: { provider: hmac({ ...plain, signs: 'inflated' }), on: { note } },
  timed: { provider: hmac({ ...plain, eventTime: { from: '$.at', unit: 's' } }), on: { note } },
  'batch-twins': {
    provider: hmac({ ...plain, batch: '$' }),
    on: { note },
    process: 'inline',
    id: (event) => (event.body as { object: { name: string } }).object.name,
  },
  quiet: { provider: hmac({ ...plain, successStatus: 204 }), on: { note } },
  twins: {
    provider: hmac(plain),
    on: { note },
    id: (event) => `${event.type}:${(event.body as { object: string }).object}`,
  },
});
const secrets = {
  stripe: ['whsec_test-secret-1'],
  github: ['test-secret-1', 'test-secret-0'],
  bazaar: ['whsec_c3RhbmRhcmQtd2ViaG9va3MtZGVtby1rZXktMzJieXQ='],
  plain: ['test-secret-1'],
  batch: ['test-secret-1'],
  asking: ['test-secret-1'],
  inflated: ['test-secret-1'],
  timed: ['test-secret-1'],
  'batch-twins': ['test-secret-1'],
  quiet: ['test-secret-1'],
  twins: ['test-secret-1'],
};

const make = async () => {
  handled.length = 0;
  return createReceiver(sources, secrets);
};
const outage = sdkError('InternalServiceError', { $fault: 'server' });
const event = (id: string, more: object = {}) => JSON.stringify({ id, type: 'note', ...more });
const bodyOf = (answer: { readonly body: string }): unknown => JSON.parse(answer.body);

describe('a delivery', () => {
  it('is applied once and its copy is a duplicate, both with 200', async () => {
    const receiver = await make();

    const first = await receiver.sendSigned('plain', { body: event('e1') });
    const second = await receiver.sendSigned('plain', { body: event('e1') });

    expect([first.statusCode, bodyOf(first)]).toEqual([200, { outcome: 'processed', eventId: 'e1' }]);
    expect([second.statusCode, bodyOf(second)]).toEqual([200, { outcome: 'duplicate', eventId: 'e1' }]);
    expect(second.headers['x-oncehook-outcome']).toBe('duplicate');
    expect(await receiver.stage.items('outbox')).toHaveLength(1);
  });

  it('is one event however often it is signed anew and whatever its other headers say', async () => {
    const receiver = await make();
    const body = event('in_1', { type: 'invoice.paid' });

    await receiver.sendSigned('stripe', { body, headers: { 'user-agent': 'one' } });
    receiver.clock.advance(120_000);
    const copy = await receiver.sendSigned('stripe', {
      body,
      headers: { 'user-agent': 'two', 'x-amzn-trace-id': 'Root=2' },
    });

    expect(bodyOf(copy)).toEqual({ outcome: 'duplicate', eventId: 'in_1' });
  });

  it('is forty-six times one event over twenty-nine hours', async () => {
    const receiver = await make();
    const outcomes = new Map<unknown, number>();

    for (let n = 0; n < 46; n += 1) {
      const { outcome } = bodyOf(
        await receiver.sendSigned('stripe', { body: event('in_1', { type: 'invoice.paid' }) }),
      ) as { outcome: string };
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      receiver.clock.advance((29 * 3_600_000) / 46);
    }

    expect(Object.fromEntries(outcomes)).toEqual({ processed: 1, duplicate: 45 });
    expect((await receiver.stage.items('inbox'))[0]).toMatchObject({
      expiresAt: (Date.UTC(2026, 11, 1) + days(14)) / 1000,
    });
  });

  it('of a type without a handler is acknowledged and leaves nothing behind', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('plain', { body: event('e1', { type: 'user.foo.v9' }) });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([200, { outcome: 'ignored', eventId: 'e1' }]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it('whose handler fails is answered 500 with nothing of the reason where the provider is asked to retry', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('asking', { body: event('e1', { type: 'fail' }) });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([500, { outcome: 'failed', eventId: 'e1' }]);
    expect(receiver.outcomes).toMatchObject([{ kind: 'failed', error: { message: 'boom' } }]);
  });

  it('is answered 503 with a pause while DynamoDB does not answer, and applied afterwards', async () => {
    const receiver = await make();
    receiver.stage.intercept(() => ({ before: sdkError('TimeoutError') }));
    const during = await receiver.sendSigned('plain', { body: event('e1') });
    receiver.stage.intercept(undefined);

    const after = await receiver.sendSigned('plain', { body: event('e1') });

    expect([during.statusCode, bodyOf(during), during.headers['retry-after']]).toEqual([
      503,
      { outcome: 'store-unavailable', eventId: 'e1' },
      '5',
    ]);
    expect(bodyOf(after)).toMatchObject({ outcome: 'processed' });
  });

  it('is never taken for unauthenticated because an AWS request signature was stale', async () => {
    const receiver = await make();
    receiver.stage.intercept(() => ({ before: sdkError('InvalidSignatureException') }));

    expect((await receiver.sendSigned('plain', { body: event('e1') })).statusCode).toBe(503);
  });

  it('gets an empty answer where the provider wants 204', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('quiet', { body: event('e1') });

    expect([answer.statusCode, answer.body, answer.headers['x-oncehook-outcome']]).toEqual([204, '', 'processed']);
  });
});

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

describe('the time of an event', () => {
  it.each([0, 8_640_000_000_001, 'soon'])(
    'that is %j is none, and the event is as old as its first copy',
    async (at) => {
      const receiver = await make();

      expect((await receiver.sendSigned('timed', { body: event('e1', { at }) })).statusCode).toBe(200);
      expect(handled[0]?.occurredAt).toBeUndefined();
    },
  );
});

describe('identity', () => {
  it('of events without an id is the hash of their bytes: different ones stay apart, a copy does not', async () => {
    const receiver = await make();

    const answers = [
      await receiver.sendSigned('plain', { body: '{"type":"note","n":1}' }),
      await receiver.sendSigned('plain', { body: '{"type":"note","n":2}' }),
      await receiver.sendSigned('plain', { body: '{"type":"note","n":1}' }),
      await receiver.sendSigned('plain', { body: '{"type":"note","id":"  "}' }),
    ];

    expect(answers.map((answer) => answer.headers['x-oncehook-outcome'])).toEqual([
      'processed',
      'processed',
      'duplicate',
      'processed',
    ]);
    expect(bodyOf(answers[0] as never)).toMatchObject({ eventId: `body_${sha256Hex('{"type":"note","n":1}')}` });
  });

  it('of two events about one object differs', async () => {
    const receiver = await make();

    await receiver.sendSigned('plain', { body: event('e1', { data: { id: 'A1' } }) });
    const second = await receiver.sendSigned('plain', { body: event('e2', { data: { id: 'A1' } }) });

    expect(bodyOf(second)).toEqual({ outcome: 'processed', eventId: 'e2' });
  });

  it('may be given by the source for twins', async () => {
    const receiver = await make();

    await receiver.sendSigned('twins', { body: event('e1', { object: 'sub_1' }) });
    const twin = await receiver.sendSigned('twins', { body: event('e2', { object: 'sub_1' }) });

    expect(bodyOf(twin)).toEqual({ outcome: 'duplicate', eventId: 'note:sub_1' });
  });
});

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
});

describe('secrets', () => {
  it.each([
    ['is missing for the source', '{}'],
    ['has an empty list', '{"plain":[]}'],
    ['has a blank text', '{"plain":[" "]}'],
    ['is not JSON', 'generated-password'],
    ['cannot be read', outage],
  ])('answer 503 and verify nothing when the secret %s', async (_case, text) => {
    const receiver = await make();
    receiver.secretText = text;

    const answer = await receiver.sendSigned('plain', { body: event('e1') });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([503, { outcome: 'no-secret' }]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it('that cannot be decoded are the operator’s mistake and not the sender’s', async () => {
    const receiver = await make();
    receiver.secretText = JSON.stringify({ bazaar: ['whsec_not base64'] });

    const answer = await receiver.sendSigned('bazaar', { body: event('e1') });

    expect(answer.statusCode).toBe(503);
  });

  it('are read once for many deliveries', async () => {
    const receiver = await make();
    for (let n = 0; n < 20; n += 1) await receiver.sendSigned('plain', { body: event(`e${n}`) });

    expect(receiver.secretReads()).toBe(1);
  });

  it('are read again when nothing matches, and the new one is taken at once', async () => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = JSON.stringify({ plain: ['rotated', 'test-secret-1'] });

    const answer = await receiver.sendSigned('plain', { body: event('e2'), secret: 'rotated' });

    expect([answer.statusCode, receiver.secretReads()]).toEqual([200, 2]);
  });

  const flood = async (receiver: Receiver, count: number, everyMs: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await receiver.send('plain', { body: event('e1'), headers: { 'x-signature': `sha256=${'0'.repeat(64)}` } });
      receiver.clock.advance(everyMs);
    }
  };

  it('are read five times and then once a second, however many bad signatures come', async () => {
    const receiver = await make();

    await flood(receiver, 100, 100);

    expect(receiver.secretReads()).toBe(5 + 9);
  });

  it('that were added a second ago are known in the middle of a flood', async () => {
    const receiver = await make();
    await flood(receiver, 1000, 10);
    receiver.secretText = JSON.stringify({ plain: ['rotated', 'test-secret-1'] });
    await flood(receiver, 100, 10);

    const answers = [];
    for (let n = 0; n < 100; n += 1) {
      await flood(receiver, 3, 3);
      answers.push((await receiver.sendSigned('plain', { body: event(`r${n}`), secret: 'rotated' })).statusCode);
    }

    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('that were taken out verify nothing after five minutes', async () => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = JSON.stringify({ plain: ['rotated'] });

    receiver.clock.advance(299_999);
    expect((await receiver.sendSigned('plain', { body: event('e2') })).statusCode).toBe(200);
    receiver.clock.advance(1);
    expect((await receiver.sendSigned('plain', { body: event('e3') })).statusCode).toBe(401);
  });

  it('still count while Secrets Manager does not answer, for an hour', async () => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = outage;

    receiver.clock.advance(3_599_999);
    expect((await receiver.sendSigned('plain', { body: event('e2') })).statusCode).toBe(200);
    receiver.clock.advance(1);
    expect((await receiver.sendSigned('plain', { body: event('e3') })).statusCode).toBe(503);
  });

  const known = async (failure: Error) => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = failure;
    receiver.clock.advance(300_000);
    return receiver.sendSigned('plain', { body: event('e2') });
  };

  it.each<[string, Error]>([
    ['its own fault', outage],
    [
      'a 503 that the client has no model of',
      sdkError('Unknown', { $fault: 'client', $metadata: { httpStatusCode: 503 } }),
    ],
    ['a time-out', sdkError('TimeoutError')],
    ['a refused connection', sdkError('Error', { code: 'ECONNREFUSED' })],
    ['a name that does not resolve', sdkError('Error', { code: 'ENOTFOUND' })],
    ['throttling', sdkError('ThrottlingException', { $fault: 'client', $metadata: { httpStatusCode: 400 } })],
    ['a 429', sdkError('Busy', { $fault: 'client', $metadata: { httpStatusCode: 429 } })],
  ])('still count when a read fails for %s', async (_case, failure) => {
    expect((await known(failure)).statusCode).toBe(200);
  });

  it.each<[string, Error]>([
    ['ResourceNotFoundException', sdkError('ResourceNotFoundException', { $fault: 'client' })],
    ['InvalidRequestException', sdkError('InvalidRequestException', { $fault: 'client' })],
    [
      'AccessDeniedException',
      sdkError('AccessDeniedException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
    ],
    ['DecryptionFailure', sdkError('DecryptionFailure', { $fault: 'client' })],
    ['a certificate of somebody else', sdkError('Error', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })],
    ['no credentials', new OncehookError('STORE_MISCONFIGURED', 'none', { retryable: false })],
    ['what nobody knows', new TypeError('x')],
  ])('count no more when a read is refused with %s', async (_case, failure) => {
    const answer = await known(failure);

    expect([answer.statusCode, bodyOf(answer)]).toEqual([503, { outcome: 'no-secret' }]);
  });
});
