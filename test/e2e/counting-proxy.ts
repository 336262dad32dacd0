import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '../../local/http/loopback-server.ts';

/** Stands before a service and notes every call that reaches it. */
export interface CountingProxy {
  readonly url: string;
  /** The actions called since the last time, such as `PutItem`, in order. */
  takeCalls(): readonly string[];
  close(): Promise<void>;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    calls.push(String(request.headers['x-amz-target']).split('.').at(-1) ?? '');
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(target, {
      method: request.method ?? 'POST',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: await buffer(request),
    });
    response.writeHead(
      answer.status,
      Object.fromEntries([...answer.headers].filter(([name]) => name !== 'content-encoding')),
    );
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    takeCalls: () => calls.splice(0),
    close: () => closeServer(server),
  };
}
