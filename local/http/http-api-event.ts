import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** What an HTTP request is to the front, before it becomes an event. */
export interface FrontRequest {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  /** Names and values by turns, in the order they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly httpVersion: string;
  readonly sourceIp: string;
}

/** What API Gateway adds of its own. */
export interface FrontContext {
  readonly accountId: string;
  readonly apiId: string;
  readonly stage: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly receivedAtMs: number;
}

/**
 * Makes the event of payload format 2.0 that an HTTP API gives to a function.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function buildHttpApiEvent(request: FrontRequest, context: FrontContext): APIGatewayProxyEventV2 {
  const { path, query } = splitTarget(request.target);
  const { headers, cookies } = readHeaders(request.rawHeaders);
  const base64 = isBinary(headers);
  const domainName = headers['host'] ?? 'localhost';
  return {
    version: '2.0',
    routeKey: context.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies: [...cookies] }),
    headers: {
      ...headers,
      'x-amzn-trace-id': `Root=1-${Math.floor(context.receivedAtMs / 1000).toString(16)}-${'0'.repeat(24)}`,
      'x-forwarded-for': joinHeader(headers['x-forwarded-for'], request.sourceIp),
      'x-forwarded-port': domainName.split(':')[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...(query !== '' && { queryStringParameters: readQuery(query) }),
    requestContext: {
      accountId: context.accountId,
      apiId: context.apiId,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: context.requestId,
      routeKey: context.routeKey,
      stage: context.stage,
      time: commonLogTime(context.receivedAtMs),
      timeEpoch: context.receivedAtMs,
    },
    ...(request.body.length > 0 && { body: request.body.toString(base64 ? 'base64' : 'utf8') }),
    ...(Object.keys(context.pathParameters).length > 0 && { pathParameters: { ...context.pathParameters } }),
    isBase64Encoded: base64 && request.body.length > 0,
  };
}

/** The decoded path, as an HTTP API routes by it and hands it on, and the query as it stands. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  const raw = mark < 0 ? target : target.slice(0, mark);
  return { path: decode(raw), query: mark < 0 ? '' : target.slice(mark + 1) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const CONNECTION_HEADERS = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
]);

/** Lower-case names, repeated headers joined with commas, cookies apart. */
function readHeaders(raw: readonly string[]): { headers: Record<string, string>; cookies: readonly string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(';').map((cookie) => cookie.trim()));
    else if (!CONNECTION_HEADERS.has(name)) headers[name] = joinHeader(headers[name], value);
  }
  return { headers, cookies };
}

const joinHeader = (before: string | undefined, value: string): string =>
  before === undefined ? value : `${before},${value}`;

function readQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) parameters[name] = joinHeader(parameters[name], value);
  return parameters;
}

/**
 * Whether the body is passed on as base64. AWS documents that it depends on the content type
 * but not how; observed is text for `text/*` and the three types here, and base64 for
 * everything else, forms and a missing type among them.
 *
 * @see https://github.com/ministackorg/ministack/pull/766
 */
function isBinary(headers: Readonly<Record<string, string>>): boolean {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return true;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return !type.startsWith('text/') && !TEXT_TYPES.has(type);
}

const TEXT_TYPES = new Set(['application/json', 'application/xml', 'application/javascript']);

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `07/Aug/2026:01:37:53 +0000` */
function commonLogTime(atMs: number): string {
  const iso = new Date(atMs).toISOString();
  return `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
