import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createHttpsExchange,
  type HttpsSurroundings,
  MAX_DOCUMENT_BYTES,
} from '../../../lambda/adapters/documents/https-request.ts';
import type { DocumentRequest } from '../../../lambda/core/document-ports.ts';
import { type SelfSigned, selfSigned } from '../../support/self-signed.ts';

const HOST = 'keys.example';
const DAY = 86_400_000;
const certificateOf = (host: string): SelfSigned =>
  selfSigned(host, new Date(Date.now() - DAY), new Date(Date.now() + DAY));

let answer: RequestListener;
let seen: { method: string | undefined; url: string | undefined; host: string | undefined; body: string }[] = [];
let surroundings: HttpsSurroundings;
const { certificate, privateKey } = certificateOf(HOST);
const server = createServer(
  { cert: certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) },
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, host: headers.host, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  },
);

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  surroundings = { ca: certificate, connectTo: { host: '127.0.0.1', port }, timeoutMs: 20_000 };
});
beforeEach(() => {
  seen = [];
  answer = (_request, response) => response.end('a key');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (request: Partial<DocumentRequest> = {}, changes: HttpsSurroundings = {}) =>
  createHttpsExchange({ ...surroundings, ...changes })({
    url: `https://${HOST}/key`,
    hosts: [HOST],
    name: 'key',
    ...request,
  });

describe('a request to a provider', () => {
  it('brings what the pinned host answers', async () => {
    expect(await ask({ url: `https://${HOST}/a/b.pem?c=d` })).toEqual({ kind: 'found', text: 'a key' });
    expect(seen).toEqual([{ method: 'GET', url: '/a/b.pem?c=d', host: HOST, body: '' }]);
  });

  it('posts JSON where there is some', async () => {
    await ask({ json: '{"key_id":"é"}' });

    expect(seen).toMatchObject([{ method: 'POST', body: '{"key_id":"é"}' }]);
  });

  it.each([
    'http://keys.example/key',
    'https://keys.example:8443/key',
    'https://user@keys.example/key',
    'https://:pass@keys.example/key',
    'https://keys.example/key#part',
    'https://other.example/key',
    'https://keys.example.other.example/key',
    'https://sub.keys.example/key',
    'https://127.0.0.1/key',
    'file:///etc/passwd',
    'keys.example',
    '',
  ])('is never made to %s', async (url) => {
    expect(await ask({ url })).toEqual({ kind: 'unavailable', reason: 'the address is not one to ask' });
    expect(seen).toEqual([]);
  });

  it('believes nobody without a certificate of the pinned host', async () => {
    const other = 'other.example';

    const answered = await ask({ url: `https://${other}/key`, hosts: [other] });

    expect(answered).toEqual({ kind: 'unavailable', reason: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(seen).toEqual([]);
  });

  it('believes no certificate that nobody vouches for', async () => {
    const { ca: _ca, ...withoutOurs } = surroundings;

    const answered = await createHttpsExchange(withoutOurs)({ url: `https://${HOST}/key`, hosts: [HOST], name: 'key' });

    expect(answered.kind).toBe('unavailable');
    expect(seen).toEqual([]);
  });

  it.each([
    [400, 'absent'],
    [404, 'absent'],
    [410, 'absent'],
    [408, 'unavailable'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [204, 'unavailable'],
  ])('answered %i is %s', async (status, kind) => {
    answer = (_request, response) => response.writeHead(status).end('no');

    expect((await ask()).kind).toBe(kind);
  });

  it('follows no redirect', async () => {
    answer = (_request, response) => response.writeHead(302, { location: `https://${HOST}/elsewhere` }).end();

    expect(await ask()).toEqual({ kind: 'unavailable', reason: 'status 302' });
    expect(seen).toHaveLength(1);
  });

  it('takes a document of the largest size and none that is a byte larger', async () => {
    answer = (_request, response) => response.end(Buffer.alloc(MAX_DOCUMENT_BYTES, 'k'));
    expect(await ask()).toMatchObject({ kind: 'found' });

    answer = (_request, response) => response.end(Buffer.alloc(MAX_DOCUMENT_BYTES + 1, 'k'));
    expect((await ask()).kind).toBe('unavailable');
  });

  it('gives up on a host that does not answer', async () => {
    answer = () => {};

    expect((await ask({}, { timeoutMs: 50 })).kind).toBe('unavailable');
  });

  it('gives up on a host that answers without an end', async () => {
    answer = (_request, response) => response.write('the begin');

    expect((await ask({}, { timeoutMs: 300 })).kind).toBe('unavailable');
  });

  it('takes no answer that was cut off', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('a part', () => response.destroy());
    };

    expect((await ask()).kind).toBe('unavailable');
  });

  it('gives a reason without the address or what was posted', async () => {
    const answered = await ask({ json: '{"secret":"do-not-print"}' }, { connectTo: { host: '127.0.0.1', port: 1 } });

    expect(answered).toEqual({ kind: 'unavailable', reason: 'ECONNREFUSED' });
  });
});
