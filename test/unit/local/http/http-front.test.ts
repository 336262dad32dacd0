import { afterEach, describe, expect, it } from 'vitest';
import { type HttpFront, type Invoke, MAX_BODY_BYTES, startHttpFront } from '../../../../local/http/http-front.ts';

const SPEC = {
  apiId: 'Api',
  accountId: '000000000000',
  stage: '$default',
  routes: [{ key: 'ANY /webhooks/{source}', target: { functionName: 'receive', timeoutMs: 30_000 } }],
};

const echo: Invoke = async (_, event) => ({
  kind: 'returned',
  payload: JSON.stringify({ statusCode: 200, body: event }),
});

let front: HttpFront | undefined;
afterEach(() => front?.close());

async function start(invoke: Invoke = echo, spec = SPEC): Promise<string> {
  front = await startHttpFront(0, invoke);
  front.replace(spec);
  return front.url;
}

describe('the HTTP front', () => {
  it('hands a request to its function and the answer back, with a request id', async () => {
    const url = await start();

    const response = await fetch(`${url}/webhooks/stripe`, { method: 'POST', body: 'hi' });

    expect(response.status).toBe(200);
    expect(response.headers.get('apigw-requestid')).toMatch(/^[\w-]{16}$/);
    expect(await response.json()).toMatchObject({ rawPath: '/webhooks/stripe', body: 'hi' });
  });

  it('answers an unknown path itself', async () => {
    const url = await start();

    const response = await fetch(`${url}/elsewhere`);

    expect(response.status).toBe(404);
    expect(await response.text()).toBe('{"message":"Not Found"}');
  });

  it('takes a body of exactly the limit only as far as an event can hold it', async () => {
    const url = await start(async () => ({ kind: 'returned', payload: 'null' }));
    const post = (bytes: number) =>
      fetch(`${url}/webhooks/stripe`, {
        method: 'POST',
        body: 'x'.repeat(bytes),
        headers: { 'content-type': 'text/plain' },
      });

    const statuses = [await post(5 * 1024 * 1024), await post(MAX_BODY_BYTES), await post(MAX_BODY_BYTES + 1)];

    expect(statuses.map(({ status }) => status)).toEqual([200, 413, 413]);
  });

  it('gives up on a function at the time limit of its integration', async () => {
    const routes = [{ key: '$default', target: { functionName: 'receive', timeoutMs: 1 } }];
    const url = await start(() => new Promise(() => {}), { ...SPEC, routes });

    const response = await fetch(url);

    expect(response.status).toBe(503);
    expect(await response.text()).toBe('{"message":"Service Unavailable"}');
  });

  it('says what to do when its port is in use', async () => {
    const url = await start();

    const second = startHttpFront(Number(new URL(url).port), echo);

    await expect(second).rejects.toThrow(/^port \d+ is in use: .*--port N$/);
  });
});
