import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { epochMs } from '../../../lambda/core/time.ts';
import { defineSources, github, hmac, stripe } from '../../../lambda/oncehook.ts';
import { decodeLocalState } from '../../../lambda/operator/local-state.ts';
import type { HttpAnswer } from '../../../lambda/operator/ports.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { T0 } from '../../support/manual-clock.ts';
import { anOperator, answered, createPostman } from './an-operator.ts';
import { SECRETS } from './receiver-server.ts';
import { createStateFile } from './state-file.ts';

const LOCAL = createStateFile({ apiUrl: 'http://127.0.0.1:3000' });
afterAll(LOCAL.remove);
const readLocalState = () => decodeLocalState(JSON.stringify(LOCAL.content));

/** Somebody beside a local AWS that gives these answers. */
function atLocalAws(...answers: readonly HttpAnswer[]) {
  const { sent, post } = createPostman(...answers);
  return { sent, ...anOperator({ post, readLocalState }) };
}

const SEND = ['send', 'stripe', 'invoice.paid'] as const;

describe('the copies of one send', () => {
  it('have one body, and a signature of their own time each', async () => {
    const { sent, post } = createPostman();
    const operator = anOperator({
      readLocalState,
      post: async (request) => {
        operator.clock.advance(1500);
        return post(request);
      },
    });

    await operator.run(...SEND, '--times', '2');

    const [first, second] = sent;
    const times = sent.map(({ headers }) => /^t=(\d+),/.exec(headers['stripe-signature'] ?? '')?.[1]);
    expect(second?.body).toEqual(first?.body);
    expect(times).toEqual([String(T0 / 1000), String(T0 / 1000 + 1)]);
    expect(JSON.parse(Buffer.from(first?.body ?? []).toString()).created).toBe(T0 / 1000);
  });

  it('go to the webhook of the source, named as JSON', async () => {
    const operator = atLocalAws();

    await operator.run(...SEND);

    expect(operator.sent[0]).toMatchObject({
      url: 'http://127.0.0.1:3000/webhooks/stripe',
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  });

  it('are never more under way than asked for', async () => {
    let underWay = 0;
    let most = 0;
    const operator = anOperator({
      readLocalState,
      async post() {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return answered(200, 'processed');
      },
    });

    await operator.run(...SEND, '--times', '20', '--concurrency', '3');

    expect(most).toBe(3);
  });

  it('stop at the first that gets no answer, and what was answered is still summed up', async () => {
    const operator = atLocalAws(answered(200, 'processed'), { kind: 'unreachable', reason: 'it hung up' });

    const code = await operator.run(...SEND, '--times', '9');

    expect(code).toBe(1);
    expect(operator.sent).toHaveLength(2);
    expect(operator.printed.at(-1)).toBe('1 answer: 1 processed');
    expect(operator.noted).toEqual(['oncehook: it hung up; start local AWS with npm start']);
  });

  it('are at most 100000, and at most 256 at once', async () => {
    const refused = [
      await atLocalAws().run(...SEND, '--times', '100001'),
      await atLocalAws().run(...SEND, '--times', '0'),
      await atLocalAws().run(...SEND, '--concurrency', '257'),
    ];
    const accepted = await atLocalAws().run(...SEND, '--times', '1', '--concurrency', '256');

    expect(refused).toEqual([1, 1, 1]);
    expect(accepted).toBe(0);
  });
});

describe('the exit code', () => {
  it('is 2 when some copy is answered otherwise than with success', async () => {
    const operator = atLocalAws(answered(200, 'processed'), answered(500, 'failed'));

    const code = await operator.run(...SEND, '--times', '2');

    expect(code).toBe(2);
    expect(operator.printed.at(-1)).toBe('2 answers: 1 processed, 1 failed');
  });

  it('is 2 when a tampered copy is let pass', async () => {
    const operator = atLocalAws(answered(401, 'unauthenticated'), answered(200, 'processed'));

    const code = await operator.run(...SEND, '--tamper', '--times', '2');

    expect(code).toBe(2);
  });

  it('is 2 for a redirect, which no provider follows', async () => {
    const code = await atLocalAws(answered(308)).run(...SEND);

    expect(code).toBe(2);
  });
});

describe('a tampered copy', () => {
  it('differs from what was signed in one byte', async () => {
    const operator = atLocalAws(answered(401, 'unauthenticated'));

    await operator.run(...SEND, '--tamper', '--id', 'evt_1');

    const [request] = operator.sent;
    const body = Uint8Array.from(request?.body ?? []);
    const verify = (bytes: Uint8Array) =>
      verifySignature(stripe().scheme, { headers: request?.headers ?? {}, body: bytes }, [SECRETS.stripe], epochMs(T0))
        .kind;
    expect(verify(body)).toBe('rejected');
    body[body.length - 1] = '}'.charCodeAt(0);
    expect(verify(body)).toBe('verified');
  });

  it('needs a byte to change', async () => {
    const empty = join(LOCAL.folder, 'empty');
    writeFileSync(empty, '');
    const operator = atLocalAws();

    const code = await operator.run(...SEND, '--tamper', '--file', empty);

    expect(code).toBe(1);
    expect(operator.sent).toEqual([]);
  });
});

describe('sending again', () => {
  it('waits as long as the receiver asks', async () => {
    const operator = atLocalAws(answered(503, 'in-progress', { 'retry-after': '7' }), answered(200, 'duplicate'));

    const code = await operator.run(...SEND, '--retry', '3');

    expect(code).toBe(0);
    expect(operator.clock.waits).toEqual([7000]);
    expect(operator.printed.at(-1)).toBe('2 answers: 1 duplicate, 1 in-progress');
  });

  it('backs off by itself up to 30 s, and ends after so many', async () => {
    const operator = atLocalAws(answered(500, 'failed'));

    const code = await operator.run(...SEND, '--retry', '7');

    expect(code).toBe(2);
    expect(operator.clock.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(operator.sent).toHaveLength(8);
  });

  it('is not done unless asked for', async () => {
    const operator = atLocalAws(answered(503, 'in-progress', { 'retry-after': '7' }));

    await operator.run(...SEND);

    expect(operator.sent).toHaveLength(1);
  });
});

describe('the event id', () => {
  it('is in the body for Stripe', async () => {
    const operator = atLocalAws();

    await operator.run(...SEND, '--id', 'evt_mine');

    expect(JSON.parse(Buffer.from(operator.sent[0]?.body ?? []).toString()).id).toBe('evt_mine');
  });

  it('is a header for GitHub and Standard Webhooks', async () => {
    const operator = atLocalAws();

    await operator.run('send', 'github', 'push', '--id', 'delivery-1');
    await operator.run('send', 'bazaar', 'slip.credited', '--id', 'msg_1');

    expect(operator.sent.map(({ headers }) => headers['x-github-delivery'] ?? headers['webhook-id'])).toEqual([
      'delivery-1',
      'msg_1',
    ]);
  });

  it('is a fresh one of the form that the provider gives', async () => {
    const operator = atLocalAws();

    await operator.run(...SEND);
    await operator.run('send', 'github', 'push');
    await operator.run('send', 'bazaar', 'slip.credited');

    expect(operator.printed.filter((line) => line.startsWith('event '))).toEqual([
      'event evt_3f2504e04f8941d39a0c0305 to http://127.0.0.1:3000/webhooks/stripe',
      'event 3f2504e0-4f89-41d3-9a0c-0305e82c3301 to http://127.0.0.1:3000/webhooks/github',
      'event msg_3f2504e04f8941d39a0c0305 to http://127.0.0.1:3000/webhooks/bazaar',
    ]);
  });

  it.each([
    ['blank', ['send', 'stripe', 'invoice.paid', '--id', ' ']],
    ['no header text', ['send', 'github', 'push', '--id', 'a\nb']],
    ['with the full stop that ends it in what is signed', ['send', 'bazaar', 'slip.credited', '--id', 'a.b']],
  ])('is refused when it is %s', async (_why, args) => {
    const operator = atLocalAws();

    const code = await operator.run(...args);

    expect(code).toBe(1);
    expect(operator.sent).toEqual([]);
    expect(operator.noted[0]).toMatch(/^oncehook: --id .*must/);
  });
});

describe('a body of your own', () => {
  let folder: string;
  const fileWith = (content: string | Uint8Array): string => {
    const file = join(folder, 'body');
    writeFileSync(file, content);
    return file;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'oncehook-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps every byte, also of what is no text', async () => {
    const bytes = Uint8Array.from([0xff, 0x00, 0x0a, 0x7b]);
    const operator = atLocalAws();

    await operator.run(...SEND, '--file', fileWith(bytes));

    expect(Uint8Array.from(operator.sent[0]?.body ?? [])).toEqual(bytes);
    expect(operator.printed[0]).toMatch(/^an event without an id to /);
  });

  it('takes --id into a header, and says where it cannot', async () => {
    const operator = atLocalAws();

    await operator.run('send', 'github', 'push', '--id', 'd-1', '--file', fileWith('{"commits":[]}'));
    await operator.run(...SEND, '--id', 'evt_2', '--file', fileWith('{"id":"evt_1","type":"invoice.paid"}'));

    expect(operator.sent[0]?.headers['x-github-delivery']).toBe('d-1');
    expect(operator.noted).toEqual([
      'note: --id is not applied: the id is in the body, and the bytes of a file are sent as they are',
    ]);
  });

  it('says when it is of another type', async () => {
    const operator = atLocalAws();

    await operator.run(...SEND, '--file', fileWith('{"id":"evt_1","type":"charge.refunded"}'));

    expect(operator.noted).toEqual(['note: the body makes this charge.refunded, not invoice.paid']);
  });

  it.each([
    ['issues.opened', '{"action":"opened"}', 'issues', []],
    ['issues', '{"action":"opened"}', 'issues', []],
    ['push', '{"commits":[]}', 'push', []],
    ['push', 'payload=%7B%7D', 'push', []],
    ['issues.opened', '{"action":"closed"}', 'issues', ['note: the body makes this issues.closed, not issues.opened']],
  ])('of GitHub has the event header of %s', async (type, body, header, notes) => {
    const operator = atLocalAws();

    await operator.run('send', 'github', type, '--file', fileWith(body));

    expect(operator.sent[0]?.headers['x-github-event']).toBe(header);
    expect(operator.noted).toEqual(notes);
  });

  it('of GitHub may be a form', async () => {
    const operator = atLocalAws();

    await operator.run('send', 'github', 'push', '--file', fileWith('payload=%7B%7D'));

    expect(operator.sent[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it('that cannot be read is said so', async () => {
    const operator = atLocalAws();

    const code = await operator.run(...SEND, '--file', join(folder, 'absent'));

    expect(code).toBe(1);
    expect(operator.noted).toEqual([`oncehook: ${join(folder, 'absent')} cannot be read: ENOENT`]);
  });
});

describe('a sample', () => {
  it('that there is none of is refused, naming those there are', async () => {
    const operator = atLocalAws();

    const code = await operator.run('send', 'github', 'star.created');

    expect(code).toBe(1);
    expect(operator.noted).toEqual([
      'oncehook: no sample of star.created for github: there are samples of push, ping, issues.opened; send your own body with --file BODY',
    ]);
  });

  it('is not looked for among what every object has', async () => {
    const code = await atLocalAws().run('send', 'stripe', 'toString');

    expect(code).toBe(1);
  });

  it('of a sender of your own has id, type and time where its description says', async () => {
    const till = hmac({
      header: 'x-till-signature',
      id: '$.event.id',
      type: [['header:x-till-kind', '$.event.name']],
      eventTime: { from: '$.at', unit: 'ms' },
      batch: '$.events',
      redelivers: true,
    });
    const sources = defineSources({ till: { provider: till, on: { 'sale.made': async () => undefined } } });
    const { sent, post } = createPostman();
    const operator = anOperator({ post, stdin: 'a secret of some length\n', loadSources: async () => sources });

    const code = await operator.run(
      ...['send', 'till', 'sale.made', '--id', 'e-1', '--url', 'http://shop.example/', '--secret-stdin'],
    );

    const [request] = sent;
    expect(code).toBe(0);
    expect(JSON.parse(Buffer.from(request?.body ?? []).toString())).toEqual({
      events: [{ sample: 'e-1', event: { id: 'e-1', name: 'made' }, at: T0 }],
    });
    expect(request?.headers['x-till-kind']).toBe('sale');
  });

  it('of a sender without ids is an event of its own in every run, and takes no --id', async () => {
    const sources = defineSources({
      till: {
        provider: hmac({ header: 'x-sig', id: 'body-hash', type: '$.type', redelivers: true }),
        on: { sale: async () => undefined },
      },
    });
    const { sent, post } = createPostman();
    const operator = anOperator({ post, stdin: 'a secret of some length', loadSources: async () => sources });

    await operator.run('send', 'till', 'sale', '--url', 'http://shop.example/', '--secret-stdin', '--id', 'x');

    expect(JSON.parse(Buffer.from(sent[0]?.body ?? []).toString())).toEqual({ sample: 'x', type: 'sale' });
    expect(operator.noted).toEqual(['note: --id names nothing: an event of till is named by the hash of its body']);
  });
});

describe('where to send', () => {
  it('asks a person for the secret of another receiver, without showing it', async () => {
    const { sent, post } = createPostman();
    const operator = anOperator({ post, readLocalState, typed: 'a secret that was typed' });

    await operator.run('send', 'github', 'push', '--url', 'https://hooks.example/webhooks/github');

    const headers = sent[0]?.headers ?? {};
    const signed = { headers, body: sent[0]?.body ?? new Uint8Array() };
    expect(operator.asked).toEqual(['secret of github (not shown): ']);
    expect(verifySignature(github().scheme, signed, ['a secret that was typed'], epochMs(T0)).kind).toBe('verified');
  });

  it('knows local AWS by its URL too, whatever the path', async () => {
    const operator = atLocalAws();

    const code = await operator.run(...SEND, '--url', 'http://127.0.0.1:3000/webhooks/other');

    expect(code).toBe(0);
    expect(operator.sent[0]?.url).toBe('http://127.0.0.1:3000/webhooks/other');
  });

  it.each([
    ['not known to a script', ['--url', 'https://hooks.example/'], /add --secret-stdin and pipe it in$/],
    ['needed where the body comes from', ['--file', '-', '--secret-stdin'], /cannot be both the body and the secret/],
    ['empty', ['--secret-stdin'], /^oncehook: the secret is empty, so nothing was sent$/],
  ])('refuses a secret that is %s', async (_why, args, message) => {
    const operator = atLocalAws();

    const code = await operator.run(...SEND, ...args);

    expect(code).toBe(1);
    expect(operator.sent).toEqual([]);
    expect(operator.noted[0]).toMatch(message);
  });

  it.each(['ftp://hooks.example/', 'hooks.example', 'https://me:hush@hooks.example/'])(
    'refuses the URL %s',
    async (url) => {
      const operator = atLocalAws();

      const code = await operator.run(...SEND, '--url', url);

      expect(code).toBe(1);
      expect(operator.noted[0]).toMatch(/^oncehook: --url must /);
      expect(operator.noted[0]).not.toContain('hush');
    },
  );

  it('says when local AWS runs with other sources', async () => {
    const state = { ...LOCAL.content, secrets: {} };
    const operator = anOperator({ readLocalState: () => decodeLocalState(JSON.stringify(state)) });

    const code = await operator.run(...SEND);

    expect(code).toBe(1);
    expect(operator.noted).toEqual(['oncehook: local AWS has no secret for stripe: it runs with other sources']);
  });

  it.each(['', 'null', '{"apiUrl":"http://127.0.0.1:1"}'])('refuses the state file %j', async (text) => {
    const operator = anOperator({ readLocalState: () => decodeLocalState(text) });

    const code = await operator.run(...SEND);

    expect(code).toBe(1);
    expect(operator.noted[0]).toMatch(/^oncehook: \.oncehook\/local\.json cannot be read/);
  });
});

describe('what is printed of an answer', () => {
  it('is never what would move a terminal', async () => {
    const { post } = createPostman({
      kind: 'answered',
      status: 200,
      headers: { 'x-oncehook-outcome': 'pro\u001b[31mcessed' },
      text: '{"eventId":"\\u001b[2Jevt"}',
    });
    const operator = anOperator({ post, readLocalState });

    await operator.run(...SEND);

    expect(operator.printed.join('\n')).not.toContain('\u001b');
    expect(operator.printed.at(-1)).toBe('1 answer: 1 HTTP 200');
  });

  it('counts the events of a batch', async () => {
    const { post } = createPostman({
      kind: 'answered',
      status: 200,
      headers: {},
      text: '{"outcome":"processed","events":[{"eventId":"a","outcome":"processed"},{"eventId":"b"}]}',
    });
    const operator = anOperator({ post, readLocalState });

    await operator.run(...SEND);

    expect(operator.printed.at(-2)).toMatch(/^1 {2}200 {5}processed {10}2 events /);
  });

  it('is JSON a line when asked for', async () => {
    const operator = atLocalAws(answered(200, 'processed'), answered(404));

    await operator.run(...SEND, '--json', '--times', '2', '--id', 'evt_1');

    expect(operator.printed.map((line) => JSON.parse(line))).toEqual([
      { kind: 'answer', n: 1, status: 200, outcome: 'processed', eventIds: ['evt_answered'], durationMs: 0 },
      { kind: 'answer', n: 2, status: 404, outcome: null, eventIds: [], durationMs: 0 },
      {
        kind: 'summary',
        url: 'http://127.0.0.1:3000/webhooks/stripe',
        eventId: 'evt_1',
        copies: 2,
        answers: 2,
        outcomes: { processed: 1, 'HTTP 404': 1 },
      },
    ]);
  });
});
