import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { WEBHOOK_ROUTE } from '../../lambda/contract.ts';
import { closeServer, LOOPBACK, listenOnLoopback } from '../http/loopback-server.ts';
import type { LocalAws } from '../local-aws.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { viewTable } from './table-view.ts';

export interface ConsoleServer {
  readonly url: string;
  close(): Promise<void>;
}

const PAGES: Readonly<Record<string, { readonly file: string; readonly type: string } | undefined>> = {
  '': { file: 'page.html', type: 'text/html; charset=utf-8' },
  'page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
  'page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
};

/** The page is all of our own files and shows texts as texts; the browser holds it to that. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the console page. Its address has a part that cannot be guessed, because the page shows
 * rows and other users of this machine can reach the port.
 *
 * @param aws read at each request, so that a new table or source appears by itself
 */
export async function startConsoleServer(
  aws: Pick<LocalAws, 'apiUrl' | 'tables' | 'secrets' | 'logs'>,
  dynamodb: DynamoDBClient,
): Promise<ConsoleServer> {
  const token = randomBytes(16).toString('base64url');
  const deliveries = createDeliveryLog(aws.logs);

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500, HEADERS).end(error instanceof Error ? error.message : String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, first, path = '', ...more] = (request.url ?? '').split('/');
    const page = PAGES[path];
    if (first !== token || more.length > 0 || request.method !== 'GET') {
      response.writeHead(404, HEADERS).end('Not Found');
    } else if (path === 'state.json') {
      const state = JSON.stringify(await readState());
      response.writeHead(200, { ...HEADERS, 'content-type': 'application/json' }).end(state);
    } else if (page !== undefined) {
      const content = await readFile(new URL(page.file, import.meta.url));
      response.writeHead(200, { ...HEADERS, 'content-type': page.type }).end(content);
    } else {
      response.writeHead(404, HEADERS).end('Not Found');
    }
  }

  const readState = async () => ({
    sources: Object.keys(aws.secrets).map((name) => ({
      name,
      url: `${aws.apiUrl}${WEBHOOK_ROUTE.replace('{source}', name)}`,
    })),
    counts: deliveries.counts(),
    deliveries: deliveries.latest(),
    tables: await Promise.all(inOrder(aws.tables).map(([key, name]) => viewTable(dynamodb, key, name))),
  });

  const port = await listenOnLoopback(server, 0);
  return { url: `http://${LOOPBACK}:${port}/${token}/`, close: () => closeServer(server) };
}

const OURS = ['outbox', 'inbox', 'sequences'];

/** The user's tables first, then ours. */
const inOrder = (tables: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(tables).toSorted(([a], [b]) => OURS.indexOf(a) - OURS.indexOf(b));
