import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Answer, ServiceRequest } from './gateway-service.ts';

/** Hands requests on to the servers behind the gateway, over connections that stay open. */
export interface BackEnd {
  /**
   * Resolves with the whole answer, whether or not the caller still waits for it.
   *
   * @param headers names and values in turn
   * @throws when there is no answer.
   */
  send(target: string, request: ServiceRequest, headers: readonly string[]): Promise<Answer>;
  close(): void;
}

/** Less than any server waits before it closes an idle connection, so that none is reused too late. */
const IDLE_MS = 4000;

/** Headers that are about one connection and not about the message. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'expect', 'host', 'content-length']);

export function createBackEnd(): BackEnd {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

  return {
    async send(target, { method, path, body }, headers) {
      const { hostname, port, host } = new URL(target);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = request({
          agent,
          hostname,
          port,
          method,
          path,
          headers: [...withoutConnection(headers), 'Host', host, 'Content-Length', String(body.length)],
        });
        outgoing.on('response', resolve);
        outgoing.on('error', reject);
        outgoing.end(body);
      });
      const answer = await buffer(response);
      return {
        status: response.statusCode ?? 502,
        headers: [...withoutConnection(response.rawHeaders), 'Content-Length', lengthOf(response, answer, method)],
        body: answer,
      };
    },
    close: () => agent.destroy(),
  };
}

/** The answer to a HEAD says the length of what it leaves out. */
const lengthOf = (response: IncomingMessage, answer: Buffer, method: string): string =>
  (method === 'HEAD' ? response.headers['content-length'] : undefined) ?? String(answer.length);

function withoutConnection(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let n = 0; n + 1 < headers.length; n += 2) {
    const [name = '', value = ''] = headers.slice(n, n + 2);
    if (!OF_CONNECTION.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
