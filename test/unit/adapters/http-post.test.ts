import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createCheckedLookup, type LookUp } from '../../../lambda/adapters/http/checked-lookup.ts';
import { createHttpPost, type OpenRequest } from '../../../lambda/adapters/http/post.ts';
import { isPublicAddress } from '../../../lambda/authoring/public-address.ts';
import type { PostRequest } from '../../../lambda/core/deliver-ports.ts';
import { milliseconds, seconds } from '../../../lambda/core/time.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server on this machine, and who connected to it. */
async function aServer(listener: RequestListener) {
  const server = createServer(listener);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, sockets };
}

/** The same request without TLS, for which no test has a certificate that anybody trusts. */
const openPlain: OpenRequest = (url, options, onResponse) =>
  request(new URL(url.href.replace('https:', 'http:')), options, onResponse);

const toThisMachine = createHttpPost({ isAllowed: (address) => address === '127.0.0.1', open: openPlain });

const aRequest = (url: string, changes: Partial<PostRequest> = {}): PostRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'idempotency-key': 'shop#e1#1' },
  body: new TextEncoder().encode('{"amount":5}'),
  timeout: seconds(20),
  signal: new AbortController().signal,
  ...changes,
});

describe('a post', () => {
  it('carries headers and body as they are, to the path and query of the URL', async () => {
    const received: unknown[] = [];
    const { port } = await aServer(async (incoming, response) => {
      const chunks = await incoming.toArray();
      received.push({
        method: incoming.method,
        url: incoming.url,
        type: incoming.headers['content-type'],
        key: incoming.headers['idempotency-key'],
        length: incoming.headers['content-length'],
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(204).end();
    });

    const answer = await toThisMachine(aRequest(`https://127.0.0.1:${port}/hooks?a=1`));

    expect(answer).toEqual({ kind: 'answered', status: 204, retryAfter: undefined });
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/hooks?a=1',
        type: 'application/json',
        key: 'shop#e1#1',
        length: '12',
        body: '{"amount":5}',
      },
    ]);
  });

  it('is answered by a redirect, and does not follow it', async () => {
    const asked: (string | undefined)[] = [];
    const { port } = await aServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });

    expect(await toThisMachine(aRequest(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 307 });
    expect(asked).toEqual(['/']);
  });

  it('hears when the target wants to be asked again', async () => {
    const { port } = await aServer((_request, response) => response.writeHead(503, { 'retry-after': '120' }).end());

    expect(await toThisMachine(aRequest(`https://127.0.0.1:${port}/`))).toEqual({
      kind: 'answered',
      status: 503,
      retryAfter: '120',
    });
  });

  it.each([65_536, 65_537])('reads no more than 64 KiB of the answer: %d bytes', async (bytes) => {
    let ended = false;
    const { port } = await aServer((_request, response) => {
      response.writeHead(200);
      response.write(Buffer.alloc(bytes));
      // One that the sender does not end, the receiver has to.
      if (bytes <= 65_536) response.end();
      response.on('close', () => {
        ended = true;
      });
    });

    expect(await toThisMachine(aRequest(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    await expect.poll(() => ended, { timeout: 20_000 }).toBe(true);
  });

  it('that is answered 200 counts, though the body never ends', async () => {
    const { port } = await aServer((_request, response) => void response.writeHead(200).write('{'));

    const answer = await toThisMachine(aRequest(`https://127.0.0.1:${port}/`, { timeout: seconds(2) }));

    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('ends when its time is over, and its connection with it', async () => {
    const { port, sockets } = await aServer(() => {});

    const answer = await toThisMachine(aRequest(`https://127.0.0.1:${port}/`, { timeout: milliseconds(200) }));

    expect(answer).toEqual({ kind: 'no-answer', reason: 'TIMEOUT' });
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed), { timeout: 20_000 }).toBe(true);
  });

  it('ends with the invocation', async () => {
    const controller = new AbortController();
    const { port } = await aServer(() => controller.abort());

    const answer = await toThisMachine(aRequest(`https://127.0.0.1:${port}/`, { signal: controller.signal }));

    expect(answer).toEqual({ kind: 'no-answer', reason: 'INVOCATION_ENDED' });
  });

  it('to a closed port tells the code of the error', async () => {
    const { port } = await aServer(() => {});
    for (const close of closing.splice(0)) close();

    expect(await toThisMachine(aRequest(`https://127.0.0.1:${port}/`))).toEqual({
      kind: 'no-answer',
      reason: 'ECONNREFUSED',
    });
  });

  it('speaks TLS and nothing else', async () => {
    let requests = 0;
    const { port, sockets } = await aServer((_request, response) => {
      requests += 1;
      response.end();
    });

    const answer = await createHttpPost({ isAllowed: () => true })(aRequest(`https://127.0.0.1:${port}/`));

    expect(answer.kind).toBe('no-answer');
    expect(sockets).toHaveLength(1);
    expect(requests).toBe(0);
  });
});

describe('an address that is not public', () => {
  const post = createHttpPost({ isAllowed: isPublicAddress, open: openPlain });

  it.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433'])(
    'is not connected to, written as %s',
    async (host) => {
      const { port, sockets } = await aServer((_request, response) => response.end());

      expect(await post(aRequest(`https://${host}:${port}/`))).toEqual({
        kind: 'no-answer',
        reason: 'ADDRESS_REFUSED',
      });
      expect(sockets).toEqual([]);
    },
  );

  it('is not connected to when a name has it beside a public one', async () => {
    const resolve: LookUp = (_name, _options, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);

    expect(await lookedUp(resolve)).toMatchObject({ code: 'ADDRESS_REFUSED' });
  });

  it('is not connected to when a name that was public resolves to it now', async () => {
    const answers = ['8.8.8.8', '169.254.169.254'];
    const resolve: LookUp = (_name, _options, callback) =>
      callback(null, [{ address: answers.shift() ?? '', family: 4 }]);

    expect(await lookedUp(resolve)).toBe('8.8.8.8');
    expect(await lookedUp(resolve)).toMatchObject({ code: 'ADDRESS_REFUSED' });
  });

  it('is what a name without addresses counts as', async () => {
    expect(await lookedUp((_name, _options, callback) => callback(null, []))).toMatchObject({
      code: 'ADDRESS_REFUSED',
    });
  });

  it('has nothing to do with a name that does not exist', async () => {
    const missing = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });

    expect(await lookedUp((_name, _options, callback) => callback(missing, []))).toBe(missing);
  });

  const lookedUp = (resolve: LookUp): Promise<unknown> =>
    new Promise((done) => {
      createCheckedLookup(isPublicAddress, resolve)('example.com', {}, (error, address) => done(error ?? address));
    });
});
