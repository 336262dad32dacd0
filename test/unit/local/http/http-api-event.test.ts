import { describe, expect, it } from 'vitest';
import { buildHttpApiEvent, type FrontRequest } from '../../../../local/http/http-api-event.ts';

const A_REQUEST: FrontRequest = {
  method: 'POST',
  target: '/webhooks/stripe?a=1&b=x%20y&a=2',
  rawHeaders: ['Host', 'localhost:3000', 'Content-Type', 'application/json', 'User-Agent', 'Stripe/1.0'],
  body: Buffer.from('{"id":"evt_1"}'),
  httpVersion: '1.1',
  sourceIp: '127.0.0.1',
};

const A_CONTEXT = {
  accountId: '000000000000',
  apiId: 'Api',
  stage: '$default',
  routeKey: 'ANY /webhooks/{source}',
  pathParameters: { source: 'stripe' },
  requestId: 'request-1',
  receivedAtMs: Date.UTC(2026, 7, 7, 1, 37, 53, 815),
};

const build = (changes: Partial<FrontRequest> = {}) => buildHttpApiEvent({ ...A_REQUEST, ...changes }, A_CONTEXT);

const withHeaders = (...headers: string[]) => build({ rawHeaders: ['Host', 'localhost:3000', ...headers] });

describe('the event an HTTP API makes of a request', () => {
  it('has everything that payload format 2.0 has', () => {
    const event = build();

    expect(event).toEqual({
      version: '2.0',
      routeKey: 'ANY /webhooks/{source}',
      rawPath: '/webhooks/stripe',
      rawQueryString: 'a=1&b=x%20y&a=2',
      headers: {
        host: 'localhost:3000',
        'content-type': 'application/json',
        'user-agent': 'Stripe/1.0',
        'x-amzn-trace-id': 'Root=1-6a7536f1-000000000000000000000000',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': '3000',
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { a: '1,2', b: 'x y' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'Api',
        domainName: 'localhost:3000',
        domainPrefix: 'localhost:3000',
        http: {
          method: 'POST',
          path: '/webhooks/stripe',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'Stripe/1.0',
        },
        requestId: 'request-1',
        routeKey: 'ANY /webhooks/{source}',
        stage: '$default',
        time: '07/Aug/2026:01:37:53 +0000',
        timeEpoch: 1786066673815,
      },
      body: '{"id":"evt_1"}',
      pathParameters: { source: 'stripe' },
      isBase64Encoded: false,
    });
  });

  it('leaves out what the request does not have', () => {
    const event = build({ target: '/webhooks/stripe', body: Buffer.alloc(0) });

    expect(event).not.toHaveProperty('body');
    expect(event).not.toHaveProperty('queryStringParameters');
    expect(event).not.toHaveProperty('cookies');
    expect(event.isBase64Encoded).toBe(false);
  });

  it('joins a header that is repeated with commas', () => {
    const event = withHeaders('Stripe-Signature', 't=1', 'stripe-signature', 't=2');

    expect(event.headers['stripe-signature']).toBe('t=1,t=2');
  });

  it('puts the cookies in a list and not among the headers', () => {
    const event = withHeaders('Cookie', 'a=1; b=2', 'Cookie', 'c=3');

    expect(event.cookies).toEqual(['a=1', 'b=2', 'c=3']);
    expect(event.headers).not.toHaveProperty('cookie');
  });

  it('decodes the path', () => {
    const event = build({ target: '/webhooks/a%20b' });

    expect(event.rawPath).toBe('/webhooks/a b');
  });

  it.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['text/plain', false],
    ['application/xml', false],
    ['application/javascript', false],
    ['application/x-www-form-urlencoded', true],
    ['application/cloudevents+json', true],
    ['application/octet-stream', true],
  ])('of the content type %s has a base64 body: %s', (contentType, base64) => {
    const event = withHeaders('Content-Type', contentType);

    expect(event.isBase64Encoded).toBe(base64);
    expect(event.body).toBe(base64 ? 'eyJpZCI6ImV2dF8xIn0=' : '{"id":"evt_1"}');
  });

  it('has a base64 body without a content type, and of JSON that is compressed', () => {
    expect(withHeaders().isBase64Encoded).toBe(true);
    expect(withHeaders('Content-Type', 'application/json', 'Content-Encoding', 'gzip').isBase64Encoded).toBe(true);
  });

  it('keeps every byte of a body that is not text', () => {
    const body = Buffer.from([0, 255, 128, 10]);

    const event = build({ body, rawHeaders: ['Content-Type', 'application/octet-stream'] });

    expect(Buffer.from(event.body ?? '', 'base64')).toEqual(body);
  });
});
