import { request as httpsRequest } from 'node:https';
import type { DocumentAnswer, DocumentRequest } from '../../core/document-ports.ts';

/** Bytes of a document. A certificate chain has about 6 KB, a key less than 1 KB. */
export const MAX_DOCUMENT_BYTES = 32 * 1024;

/** Milliseconds for all of it, connection included; the senders themselves wait 10 s and more. */
export const MAX_DOCUMENT_MS = 2000;

/** What may be changed in tests; nothing of it can be reached from a request. */
export interface HttpsSurroundings {
  readonly ca?: string;
  /** Where to connect instead of port 443 of the host, whose name is still what the certificate must carry. */
  readonly connectTo?: { readonly host: string; readonly port: number };
  readonly timeoutMs?: number;
}

/** One exchange with a provider. */
export type Exchange = (request: DocumentRequest) => Promise<DocumentAnswer>;

/**
 * Exchanges over HTTPS with a host that is on the request's own list. Redirects are not followed; an
 * answer that is too large or too slow is none. It never rejects.
 */
export const createHttpsExchange =
  (surroundings: HttpsSurroundings = {}): Exchange =>
  async (document) => {
    const url = URL.canParse(document.url) ? new URL(document.url) : undefined;
    if (url === undefined || !isPinned(url, document.hosts)) return unavailable('the address is not one to ask');
    const { timeoutMs = MAX_DOCUMENT_MS, ca, connectTo } = surroundings;
    const { promise, resolve } = Promise.withResolvers<DocumentAnswer>();
    const { json } = document;
    const outgoing = httpsRequest(
      {
        method: json === undefined ? 'GET' : 'POST',
        host: connectTo?.host ?? url.hostname,
        port: connectTo?.port ?? 443,
        servername: url.hostname,
        path: `${url.pathname}${url.search}`,
        headers: {
          host: url.hostname,
          accept: '*/*',
          'user-agent': 'oncehook',
          ...(json === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
        },
        // A connection that is kept would be cut by a freeze, and be the next request's failure.
        agent: false,
        ...(ca === undefined ? {} : { ca }),
        signal: AbortSignal.timeout(timeoutMs),
      },
      (response) => {
        const chunks: Uint8Array[] = [];
        let bytes = 0;
        response.on('data', (chunk: Uint8Array) => {
          bytes += chunk.byteLength;
          if (bytes > MAX_DOCUMENT_BYTES) outgoing.destroy(new Error('too large'));
          else chunks.push(chunk);
        });
        response.on('end', () => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'))));
        response.on('error', () => resolve(unavailable(bytes > MAX_DOCUMENT_BYTES ? 'too large' : 'cut off')));
      },
    );
    outgoing.on('error', (error) => resolve(unavailable(reasonOf(error))));
    outgoing.end(json);
    return promise;
  };

function isPinned(url: URL, hosts: readonly string[]): boolean {
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return isPlain && url.hash === '' && hosts.includes(url.hostname);
}

/** 4xx is the provider's word that there is none, except where it is about how much or how fast we ask. */
function answerOf(status: number, text: string): DocumentAnswer {
  if (status === 200) return { kind: 'found', text };
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRefusal ? { kind: 'absent' } : unavailable(`status ${status}`);
}

const unavailable = (reason: string): DocumentAnswer => ({ kind: 'unavailable', reason });

/** The code, or the name: a message may repeat the address. */
const reasonOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;
