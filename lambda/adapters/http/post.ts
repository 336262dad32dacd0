import type { ClientRequest, IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { HttpPost, PostAnswer, PostRequest } from '../../core/deliver-ports.ts';
import { ADDRESS_REFUSED, createCheckedLookup } from './checked-lookup.ts';

/** An answer's body is for nobody: so many bytes of it are read, so that a server that sends a few more words sees no error. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Begins a request. */
export type OpenRequest = (
  url: URL,
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
) => ClientRequest;

export interface HttpPostOptions {
  /** Decides about every address before anything is sent to it. */
  readonly isAllowed: (address: string) => boolean;
  /** @default https, and nothing else */
  readonly open?: OpenRequest;
}

/** POST over https, each on a connection of its own: one that slept with the function would be dead when it wakes. */
export function createHttpPost({ isAllowed, open = request }: HttpPostOptions): HttpPost {
  const lookup = createCheckedLookup(isAllowed);
  return async (wanted) => {
    const url = new URL(wanted.url);
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !isAllowed(literal)) return { kind: 'no-answer', reason: ADDRESS_REFUSED };
    try {
      return await send(open, url, wanted, lookup);
    } catch (error) {
      return { kind: 'no-answer', reason: codeOf(error) };
    }
  };
}

function send(open: OpenRequest, url: URL, wanted: PostRequest, lookup: LookupFunction): Promise<PostAnswer> {
  const { headers, body, timeout, signal } = wanted;
  const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
  let answer: PostAnswer | undefined;

  const sent = open(
    url,
    {
      method: 'POST',
      headers: { ...headers, 'content-length': body.byteLength },
      agent: false,
      lookup,
      rejectUnauthorized: true,
    },
    (response) => {
      const heard: PostAnswer = {
        kind: 'answered',
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
      };
      answer = heard;
      let left = MAX_ANSWER_BYTES;
      response.on('data', (chunk: Buffer) => {
        left -= chunk.byteLength;
        if (left < 0) response.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => resolve(heard));
    },
  );
  // However the body ends, the status was said.
  sent.on('error', (error) => (answer === undefined ? reject(error) : resolve(answer)));

  const stop = (code: string) => sent.destroy(Object.assign(new Error('the request was ended'), { code }));
  const timer = setTimeout(() => stop('TIMEOUT'), timeout);
  const onAbort = () => stop('INVOCATION_ENDED');
  signal.addEventListener('abort', onAbort, { once: true });
  sent.end(body);

  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}

/** Never an error's message: it may have the host, and a URL's parts in it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
