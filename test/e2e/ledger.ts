import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../../local/http/loopback-server.ts';

/** A remote API that handlers ask: it answers, refuses, or keeps them waiting. */
export interface Ledger {
  readonly url: string;
  /** What it answers. */
  status: number;
  /** Keeps who comes waiting, until it is released. */
  hold(): void;
  /** Resolves when somebody waits. */
  arrival(): Promise<void>;
  release(): void;
  close(): Promise<void>;
}

export async function startLedger(): Promise<Ledger> {
  let isHolding = false;
  let waiting: ServerResponse[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.statusCode = ledger.status;
    if (!isHolding) return void response.end();
    waiting.push(response);
    arrived.resolve();
  });
  const port = await listenOnLoopback(server, 0);
  const ledger: Ledger = {
    url: `http://127.0.0.1:${port}`,
    status: 200,
    hold() {
      isHolding = true;
      arrived = Promise.withResolvers();
    },
    arrival: () => arrived.promise,
    release() {
      isHolding = false;
      for (const response of waiting) response.end();
      waiting = [];
    },
    close: () => closeServer(server),
  };
  return ledger;
}
