import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../../local/http/loopback-server.ts';

/** Lets through or holds whoever asks. */
export interface Gate {
  readonly url: string;
  /** Resolves when so many stand before the closed gate. */
  arrival(count?: number): Promise<void>;
  /** How often it was asked, open or closed. */
  arrivals(): number;
  open(): void;
  close(): Promise<void>;
}

export async function startGate(): Promise<Gate> {
  let waiting: ServerResponse[] = [];
  let isOpen = false;
  let asked = 0;
  let onArrival: (() => void) | undefined;
  const server = createServer((_, response) => {
    asked += 1;
    if (isOpen) {
      response.end();
      return;
    }
    waiting.push(response);
    onArrival?.();
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    arrival: (count = 1) =>
      new Promise<void>((resolve) => {
        onArrival = () => {
          if (waiting.length >= count) resolve();
        };
        onArrival();
      }),
    arrivals: () => asked,
    open() {
      isOpen = true;
      for (const response of waiting) response.end();
      waiting = [];
    },
    close: () => closeServer(server),
  };
}
