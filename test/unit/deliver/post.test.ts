import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { PostAnswer } from '../../../lambda/core/deliver-ports.ts';
import { sha256Hex } from '../../../lambda/core/inbox-key.ts';
import { epochMs } from '../../../lambda/core/time.ts';
import { aDeliverer, aMessage, anInvocation, aTarget, SECRET } from './a-deliverer.ts';

const OLD_SECRET = `whsec_${Buffer.alloc(32, 0x41).toString('base64')}`;

const toBilling = (attributes: Readonly<Record<string, string>> = {}, receives = 1) =>
  aMessage({ target: 'billing', ...attributes }, { receives });

const answered = (status: number, retryAfter?: string): PostAnswer => ({ kind: 'answered', status, retryAfter });

describe('a message for a target', () => {
  it('is posted to its URL as it is, and is done when the target says so', async () => {
    const { deliver, posts, hidden, sent } = aDeliverer([aTarget({ name: 'mail' }), aTarget()]);

    expect(await deliver(toBilling(), anInvocation())).toBe('done');

    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      url: 'https://billing.example.com/hooks?key=hunter2',
      body: new TextEncoder().encode('{"amount":5}'),
      timeout: 10_000,
      headers: { 'content-type': 'application/json', 'user-agent': 'oncehook', 'idempotency-key': 'shop#e1#1' },
    });
    expect([hidden, sent]).toEqual([[], []]);
  });

  it('tells of each attempt, and of no URL, payload or header', async () => {
    const { deliver, told } = aDeliverer();

    await deliver(toBilling({}, 3), anInvocation());

    expect(told).toEqual([
      {
        messageId: 'shop#e1#1',
        topic: 'receipt.requested',
        target: 'billing',
        attempt: 3,
        answer: answered(200),
        duration: 40,
      },
    ]);
  });

  it.each([
    [199, 'keep'],
    [200, 'done'],
    [299, 'done'],
    [300, 'keep'],
    [307, 'keep'],
    [400, 'keep'],
    [410, 'keep'],
    [500, 'keep'],
  ])('that is answered %d is %s', async (status, fate) => {
    const { deliver, controls, hidden } = aDeliverer();
    controls.answer = answered(status);

    expect(await deliver(toBilling(), anInvocation())).toBe(fate);
    expect(hidden).toHaveLength(fate === 'keep' ? 1 : 0);
  });

  it('that is not answered is tried again', async () => {
    const { deliver, controls, hidden } = aDeliverer();
    controls.answer = { kind: 'no-answer', reason: 'TIMEOUT' };

    expect(await deliver(toBilling(), anInvocation())).toBe('keep');
    expect(hidden).toEqual([5000]);
  });

  it('for a target that is no longer in the settings stays, and is called nowhere', async () => {
    const { deliver, posts, told, hidden } = aDeliverer([aTarget({ name: 'mail' })]);

    expect(await deliver(toBilling(), anInvocation())).toBe('keep');
    expect(posts).toEqual([]);
    expect(hidden).toHaveLength(1);
    expect(told).toMatchObject([{ messageId: 'shop#e1#1', target: 'billing' }]);
  });
});

describe('the signature', () => {
  /** At the present, because the verifier reads the wall clock. */
  async function signed(secrets: readonly string[], attributes = {}, body = '{"amount":5}') {
    const { deliver, posts, controls, clock, asked } = aDeliverer();
    clock.set(epochMs(Date.now()));
    controls.secrets = () => ({ kind: 'found', secrets });
    await deliver(aMessage({ target: 'billing', ...attributes }, { body }), anInvocation());
    return { body: Buffer.from(posts[0]?.body ?? []), headers: { ...posts[0]?.headers }, asked };
  }
  const verify = (secret: string, { body, headers }: Awaited<ReturnType<typeof signed>>) =>
    new Webhook(secret).verify(body, headers);

  it('is one that the official library verifies, with the secret of the target', async () => {
    const request = await signed([SECRET]);

    expect(verify(SECRET, request)).toEqual({ amount: 5 });
    expect(request.asked).toEqual(['deliver:billing start']);
    expect(request.headers['webhook-id']).toBe('shop#e1#1');
  });

  it('is made with every secret, the current first, so that either is enough', async () => {
    const request = await signed([SECRET, OLD_SECRET]);

    expect(verify(SECRET, request)).toEqual({ amount: 5 });
    expect(verify(OLD_SECRET, request)).toEqual({ amount: 5 });
    const [current] = (await signed([SECRET])).headers['webhook-signature']?.split(' ') ?? [];
    expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(current).toMatch(/^v1,/);
  });

  it('is over the bytes of the payload, whatever characters it has', async () => {
    expect(verify(SECRET, await signed([SECRET], {}, '{"name":"Zoë 🧾","n":12345678901234567890}'))).toMatchObject({
      name: 'Zoë 🧾',
    });
  });

  it('does not pass with another secret', async () => {
    const request = await signed([SECRET]);

    expect(() => verify(OLD_SECRET, request)).toThrow();
  });

  it.each([
    ['shop#e1#1', 'shop#e1#1', 'shop#e1#1'],
    // A full stop separates what is signed.
    ['shop#e.1#1', 'shop#e.1#1', sha256Hex('shop#e.1#1')],
    ['shop#e 1#1', sha256Hex('shop#e 1#1'), sha256Hex('shop#e 1#1')],
    ['shop#é#1', sha256Hex('shop#é#1'), sha256Hex('shop#é#1')],
    ['shop#e\r\nx: y#1', sha256Hex('shop#e\r\nx: y#1'), sha256Hex('shop#e\r\nx: y#1')],
  ])('names the message %j by what fits a header', async (id, key, webhookId) => {
    const request = await signed([SECRET], { id });

    expect(request.headers['idempotency-key']).toBe(key);
    expect(request.headers['webhook-id']).toBe(webhookId);
    expect(verify(SECRET, request)).toEqual({ amount: 5 });
  });
});

describe('a message that cannot be signed', () => {
  it.each([
    ['there is no secret', { kind: 'none', reason: 'no entry' } as const, 'no entry'],
    [
      'a secret is not base64',
      { kind: 'found', secrets: [SECRET, 'whsec_%%%'] } as const,
      'a secret is not whsec_ and base64',
    ],
  ])('waits and is not sent, when %s', async (_why, answer, reason) => {
    const { deliver, posts, told, hidden, controls } = aDeliverer();
    controls.secrets = () => answer;

    expect(await deliver(toBilling(), anInvocation())).toBe('keep');
    expect(posts).toEqual([]);
    expect(hidden).toHaveLength(1);
    expect(told).toEqual([
      { warning: 'a message waits, because it cannot be signed', messageId: 'shop#e1#1', target: 'billing', reason },
    ]);
  });

  it('is sent as soon as there is a secret, also one that is not in the cache', async () => {
    const { deliver, posts, asked, controls } = aDeliverer();
    controls.secrets = (_name, after) =>
      after === 'start' ? { kind: 'none', reason: 'no entry' } : { kind: 'found', secrets: [SECRET] };

    expect(await deliver(toBilling(), anInvocation())).toBe('done');
    expect(posts).toHaveLength(1);
    expect(asked).toEqual(['deliver:billing start', 'deliver:billing mismatch']);
  });
});

describe('the wait after a failed attempt', () => {
  async function waitOf(attempt: number, random: number, retryAfter?: string): Promise<number | undefined> {
    const { deliver, controls, hidden } = aDeliverer();
    controls.answer = answered(503, retryAfter);
    controls.random = random;
    await deliver(toBilling({}, attempt), anInvocation());
    return hidden[0];
  }

  it.each([
    [1, 10],
    [2, 20],
    [9, 2560],
    [10, 3600],
    [57, 3600],
  ])('is below a limit that doubles, up to an hour: after attempt %d, %d s', async (attempt, limit) => {
    expect(await waitOf(attempt, 0)).toBe(0);
    expect(await waitOf(attempt, 0.5)).toBe(limit * 500);
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['43200', 43_200_000],
    ['43201', 43_200_000],
    ['Tue, 01 Dec 2026 00:05:00 GMT', 300_000 - 40],
    ['Mon, 30 Nov 2026 00:05:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
    ['1.5', 0],
    ['2026-12-01', 0],
    ['', 0],
  ])('is what the target asks for, 12 h at most: %s', async (retryAfter, wait) => {
    expect(await waitOf(1, 0, retryAfter)).toBe(wait);
  });

  it('is never less than the back-off', async () => {
    expect(await waitOf(5, 0.5, '1')).toBe(80_000);
  });

  it.each([
    [6, 43_200_000],
    [7, 3_600_000],
  ])('is what the target asks for six times, and then an hour at most: attempt %d', async (attempt, wait) => {
    expect(await waitOf(attempt, 0, '43200')).toBe(wait);
  });
});
