import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type InvocationResult, MAX_PAYLOAD_BYTES } from '../functions/invocation.ts';
import { buildHttpApiEvent, splitTarget } from './http-api-event.ts';
import {
  buildFrontResponse,
  type FrontResponse,
  gatewayAnswer,
  INTERNAL_SERVER_ERROR,
  SERVICE_UNAVAILABLE,
} from './http-api-response.ts';
import { closeServer, LOOPBACK, listenOnLoopback } from './loopback-server.ts';
import { matchRoute, type Route } from './routes.ts';

/** Largest body an HTTP API takes, in bytes.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Also for what fits API Gateway and not an invocation: Lambda's own answer to that is a 413. */
const TOO_LARGE = gatewayAnswer(413, 'Request Entity Too Large');

/** Which function a route leads to, and how long the API waits for it. */
export interface RouteTarget {
  readonly functionName: string;
  readonly timeoutMs: number;
}

/** The HTTP API as its template has it. */
export interface HttpApiSpec {
  readonly apiId: string;
  readonly accountId: string;
  readonly stage: string;
  readonly routes: readonly Route<RouteTarget>[];
}

export interface HttpFront {
  readonly url: string;
  /** Takes the API of a template; until the first, every path is unknown. */
  replace(spec: HttpApiSpec): void;
  close(): Promise<void>;
}

/** What runs a function for the front; `event` is JSON. */
export type Invoke = (functionName: string, event: string) => Promise<InvocationResult>;

/** Serves an HTTP API on the loopback address: request to event, function's result to response. */
export async function startHttpFront(port: number, invoke: Invoke): Promise<HttpFront> {
  let api: HttpApiSpec = { apiId: '', accountId: '', stage: '$default', routes: [] };

  const server = createServer((request, response) => {
    const requestId = randomBytes(12).toString('base64url');
    void answer(request, requestId)
      .catch(() => INTERNAL_SERVER_ERROR)
      .then((result) => send(response, result, requestId));
  });

  async function answer(request: IncomingMessage, requestId: string): Promise<FrontResponse> {
    const receivedAtMs = Date.now();
    const { method = 'GET', url: target = '/' } = request;
    const body = await readBody(request);
    if (body === 'too large') return TOO_LARGE;
    const match = matchRoute(api.routes, method, splitTarget(target).path);
    if (match === undefined) return gatewayAnswer(404, 'Not Found');

    const event = buildHttpApiEvent(
      {
        method,
        target,
        body,
        rawHeaders: request.rawHeaders,
        httpVersion: request.httpVersion,
        sourceIp: request.socket.remoteAddress ?? LOOPBACK,
      },
      {
        ...api,
        requestId,
        receivedAtMs,
        routeKey: match.route.key,
        pathParameters: match.pathParameters,
      },
    );
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) return TOO_LARGE;
    const { functionName, timeoutMs } = match.route.target;
    return within(timeoutMs, invoke(functionName, payload).then(buildFrontResponse));
  }

  const boundPort = await listenOnLoopback(server, port);
  return {
    url: `http://${LOOPBACK}:${boundPort}`,
    replace(changed) {
      api = changed;
    },
    close: () => closeServer(server),
  };
}

/** The answer, or API Gateway's own when its time for the integration has passed. */
async function within(timeoutMs: number, answer: Promise<FrontResponse>): Promise<FrontResponse> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<FrontResponse>((resolve) => {
    timer = setTimeout(() => resolve(SERVICE_UNAVAILABLE), timeoutMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads to the end even what is too large, so that the sender gets the answer and not a reset. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? 'too large' : Buffer.concat(chunks);
}

function send(response: ServerResponse, answer: FrontResponse, requestId: string): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': answer.body.length,
    'apigw-requestid': requestId,
    ...(answer.cookies.length > 0 && { 'set-cookie': [...answer.cookies] }),
  });
  response.end(answer.body);
}
