import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { milliseconds } from '../../../lambda/core/time.ts';
import { createPost } from '../../../lambda/operator/outside/http-post.ts';
import { closeServer, listenOnLoopback } from '../../../local/http/loopback-server.ts';

const server = createServer((request, response) => {
  if (request.url === '/hang-up') request.socket.destroy();
  if (request.url === '/moved') response.writeHead(302, { location: '/ok' }).end();
  if (request.url === '/ok') response.end('followed');
  // `/silent` gets no answer at all.
});
let url: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
});
afterAll(() => closeServer(server));

const post = (path: string, timeoutMs = 10_000) =>
  createPost(milliseconds(timeoutMs))({ url: `${url}${path}`, headers: {}, body: Buffer.from('{}') });

describe('a POST', () => {
  it('follows no redirect', async () => {
    const answer = await post('/moved');

    expect(answer).toMatchObject({ kind: 'answered', status: 302, text: '' });
  });

  it('ends when the receiver is silent', async () => {
    const answer = await post('/silent', 100);

    expect(answer).toEqual({ kind: 'unreachable', reason: `${new URL(url).host} did not answer within 0.1 s` });
  });

  it('says that the receiver hung up', async () => {
    const answer = await post('/hang-up');

    expect(answer).toMatchObject({ reason: expect.stringMatching(/ closed the connection without an answer$/) });
  });
});
