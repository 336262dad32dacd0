import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../http/loopback-server.ts';
import { MAX_PAYLOAD_BYTES } from './invocation.ts';

/** An invocation as the runtime is told of it. */
export interface RuntimeInvocation {
  readonly requestId: string;
  readonly functionArn: string;
  /** Epoch milliseconds at which the process will be killed. */
  readonly deadlineMs: number;
  readonly payload: string;
}

/** What the runtime in the instance reports. */
export interface RuntimeEvents {
  /** The runtime is ready for work; it stays waiting until {@link RuntimeApi.deliver}. */
  onReady(): void;
  onResponse(requestId: string, payload: string): void;
  onError(requestId: string, reason: string): void;
  onInitError(reason: string): void;
}

/** Lambda's Runtime API, for the one instance that knows its address. */
export interface RuntimeApi {
  /** `host:port` */
  readonly address: string;
  /** Answers the runtime's waiting request for work. Call it only after `onReady`. */
  deliver(invocation: RuntimeInvocation): void;
  close(): Promise<void>;
}

/**
 * Serves one instance. Each has a server of its own: its client has no way to say who it is.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function startRuntimeApi(events: RuntimeEvents): Promise<RuntimeApi> {
  let waiting: ServerResponse | undefined;

  const server = createServer((request, response) => {
    route(request, response).catch(() => response.destroy());
  });
  // Between two invocations the connection stays idle for as long as the handler runs.
  server.keepAliveTimeout = 0;

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , , subject, requestId, verb] = (request.url ?? '').split('/');
    if (request.method === 'GET' && subject === 'invocation' && requestId === 'next') {
      waiting = response;
      events.onReady();
      return;
    }
    const body = await readText(request);
    if (subject === 'init' && requestId === 'error') {
      events.onInitError(reasonOf(body));
      accept(response);
    } else if (subject === 'invocation' && verb === 'response' && requestId !== undefined) {
      if (Buffer.byteLength(body) > MAX_PAYLOAD_BYTES) {
        events.onError(requestId, `the result is over ${MAX_PAYLOAD_BYTES} bytes`);
        response.writeHead(413).end();
        return;
      }
      events.onResponse(requestId, body);
      accept(response);
    } else if (subject === 'invocation' && verb === 'error' && requestId !== undefined) {
      events.onError(requestId, reasonOf(body));
      accept(response);
    } else {
      response.writeHead(404).end();
    }
  }

  const port = await listenOnLoopback(server, 0);
  return {
    address: `127.0.0.1:${port}`,
    deliver(invocation) {
      const response = waiting;
      waiting = undefined;
      if (response === undefined) throw new Error('the runtime is not waiting for work');
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': invocation.requestId,
        'lambda-runtime-deadline-ms': String(invocation.deadlineMs),
        'lambda-runtime-invoked-function-arn': invocation.functionArn,
      });
      response.end(invocation.payload);
    },
    close: () => closeServer(server),
  };
}

const accept = (response: ServerResponse): void => {
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
};

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(body: string): string {
  const error: unknown = JSON.parse(body);
  if (typeof error !== 'object' || error === null) return body;
  const { errorType, errorMessage } = { errorType: undefined, errorMessage: undefined, ...error };
  return `${errorType}: ${errorMessage}`;
}
