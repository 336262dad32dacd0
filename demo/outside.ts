import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** The outside that handlers call in a step; it counts calls by idempotency key. */
export interface Outside {
  readonly url: string;
  /** How often each key was used. */
  readonly calls: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const calls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const key = await text(request).catch(() => '');
    if (key !== '') calls.set(key, (calls.get(key) ?? 0) + 1);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
