import type { InvocationResult } from '../functions/invocation.ts';

/** An answer ready to be sent. */
export interface FrontResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `set-cookie` values. */
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** An answer of API Gateway's own. */
export const gatewayAnswer = (status: number, message: string): FrontResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: Buffer.from(JSON.stringify({ message })),
});

/** How an HTTP API answers for what became of an invocation. */
export function buildFrontResponse(result: InvocationResult): FrontResponse {
  switch (result.kind) {
    case 'returned':
      return readFunctionResponse(result.payload);
    case 'failed':
    case 'crashed':
      return INTERNAL_SERVER_ERROR;
    case 'timed-out':
    case 'throttled':
      return SERVICE_UNAVAILABLE;
  }
}

export const INTERNAL_SERVER_ERROR = gatewayAnswer(500, 'Internal Server Error');
export const SERVICE_UNAVAILABLE = gatewayAnswer(503, 'Service Unavailable');

/**
 * Reads a function's result by payload format 2.0. A result without a status code is the body
 * itself, as JSON; one with a status code but the wrong shape is an internal server error.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
function readFunctionResponse(payload: string): FrontResponse {
  const result: unknown = JSON.parse(payload);
  if (!isRecord(result) || result['statusCode'] === undefined) {
    const body = typeof result === 'string' ? result : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body: Buffer.from(body) };
  }

  const status = Number(result['statusCode']);
  const { headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  if (!Number.isInteger(status) || status < 100 || status > 599) return INTERNAL_SERVER_ERROR;
  if (!isRecord(headers) || !Array.isArray(cookies) || typeof body !== 'string') return INTERNAL_SERVER_ERROR;
  return {
    status,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...lowerCaseNames(headers) },
    cookies: cookies.map(String),
    body: Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

const lowerCaseNames = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
