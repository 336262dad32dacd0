import { describe, expect, it } from 'vitest';
import { buildFrontResponse } from '../../../../local/http/http-api-response.ts';

const answerTo = (result: unknown) => {
  const { body, ...rest } = buildFrontResponse({ kind: 'returned', payload: JSON.stringify(result) });
  return { ...rest, body: body.toString('utf8') };
};

describe('what an HTTP API answers', () => {
  it('is what the function says', () => {
    const answer = answerTo({ statusCode: 202, headers: { 'X-Outcome': 'queued' }, cookies: ['a=1'], body: 'later' });

    expect(answer).toEqual({
      status: 202,
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-outcome': 'queued' },
      cookies: ['a=1'],
      body: 'later',
    });
  });

  it('is decoded when the function says base64', () => {
    expect(answerTo({ statusCode: 200, isBase64Encoded: true, body: 'aGk=' }).body).toBe('hi');
  });

  it('is the result itself as JSON when it has no status code', () => {
    expect(answerTo({ ok: true })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"ok":true}',
    });
    expect(answerTo('hello').body).toBe('hello');
  });

  it.each([
    ['a status that is none', { statusCode: 'fine' }],
    ['a body that is no text', { statusCode: 200, body: { ok: true } }],
    ['headers that are a list', { statusCode: 200, headers: ['a'] }],
  ])('is an internal server error for %s', (_, result) => {
    expect(answerTo(result)).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
  });

  it.each([
    ['failed', { kind: 'failed', reason: 'x' }, 500, 'Internal Server Error'],
    ['crashed', { kind: 'crashed', reason: 'x' }, 500, 'Internal Server Error'],
    ['timed out', { kind: 'timed-out' }, 503, 'Service Unavailable'],
    ['was throttled', { kind: 'throttled' }, 503, 'Service Unavailable'],
  ] as const)('for a function that %s is its own', (_, result, status, message) => {
    const answer = buildFrontResponse(result);

    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body.toString())).toEqual({ message });
  });
});
