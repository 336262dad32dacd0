import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../lambda/receive/request.ts';
import { T0 } from '../../support/manual-clock.ts';
import { toApiEvent } from '../../support/receiver.ts';

describe('a request', () => {
  it.each([
    ['a scheduler event', { source: 'aws.events' }],
    ['payload format 1.0', { version: '1.0', httpMethod: 'POST', body: '{}' }],
    ['nothing', null],
    ['a text', 'event'],
  ])('is not %s', (_case, event) => {
    expect(readRequest(event, T0)).toBeUndefined();
  });

  it.each([null, undefined, ''])('with the body %j has no bytes', (body) => {
    expect(readRequest({ ...toApiEvent('stripe', { body: '' }), body }, T0)?.body).toHaveLength(0);
  });

  it('without headers has none', () => {
    expect(readRequest({ ...toApiEvent('stripe', { body: '' }), headers: undefined }, T0)?.headers).toEqual({});
  });

  it.each([
    ['/webhooks/stripe', '$default'],
    ['/prod/webhooks/stripe', 'prod'],
    ['/webhooks/prod', '$default'],
  ])('at %s in stage %s names its source without the route parameter too', (rawPath, stage) => {
    const event = { ...toApiEvent('x', { body: '' }), rawPath, pathParameters: undefined, requestContext: { stage } };

    expect(readRequest(event, T0)?.source).toBe(rawPath.split('/').at(-1));
  });

  it('trusts no forwarding header for the source', () => {
    const event = toApiEvent('stripe', {
      body: '',
      headers: { 'x-forwarded-host': 'evil.example', 'x-original-url': '/webhooks/github' },
    });

    expect(readRequest(event, T0)?.source).toBe('stripe');
  });

  it('joins names that differ only in case', () => {
    const event = toApiEvent('stripe', { body: '', headers: { 'X-A': '1', 'x-a': '2' } });

    expect(readRequest(event, T0)?.headers).toEqual({ 'x-a': '1,2' });
  });

  it('does not take a header named __proto__ for anything else', () => {
    const event = toApiEvent('stripe', { body: '', headers: JSON.parse('{"__proto__":"1","x-a":"2"}') });

    expect(readRequest(event, T0)?.headers['x-a']).toBe('2');
  });
});
