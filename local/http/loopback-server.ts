import { once } from 'node:events';
import type { Server } from 'node:http';
import { Problem } from '../problem.ts';

/** Loopback, so that nothing here can be reached from another machine. */
export const LOOPBACK = '127.0.0.1';

/**
 * Listens on the loopback address and returns the port; 0 picks a free one.
 *
 * @throws Problem when the port is taken or not allowed.
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new Problem(`port ${port} is in use: end what uses it, or choose another with --port N`);
    if (code === 'EACCES') throw new Problem(`port ${port} is not allowed for you: choose one from 1024 with --port N`);
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Stops listening and cuts every connection, waiting ones too. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
