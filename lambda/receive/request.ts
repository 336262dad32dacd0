/**
 * Request: API Gateway's event becomes an {@link InboundRequest}, and nothing is believed that is
 * not there.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html (payload format 2.0)
 */
import type { InboundRequest } from '../core/event.ts';
import type { EpochMs } from '../core/time.ts';

/** `undefined` for anything that is not a request of an HTTP API in payload format 2.0. */
export function readRequest(event: unknown, receivedAt: EpochMs): InboundRequest | undefined {
  if (!isRecord(event) || event['version'] !== '2.0') return undefined;
  const context = isRecord(event['requestContext']) ? event['requestContext'] : {};
  const http = isRecord(context['http']) ? context['http'] : {};
  return {
    method: text(http['method']).toUpperCase(),
    source: sourceOf(event),
    query: text(event['rawQueryString']),
    headers: lowerCase(isRecord(event['headers']) ? event['headers'] : {}),
    body: bodyBytes(event),
    receivedAt,
  };
}

// Base64 only when the flag is literally true: a string "true" is somebody else's event, and its
// body is taken as the text it is.
function bodyBytes(event: Readonly<Record<string, unknown>>): Uint8Array {
  const body = text(event['body']);
  return event['isBase64Encoded'] === true ? Buffer.from(body, 'base64') : Buffer.from(body, 'utf8');
}

// The route's parameter is what API Gateway matched; the end of the path is the same without a stage.
function sourceOf(event: Readonly<Record<string, unknown>>): string {
  const parameters = isRecord(event['pathParameters']) ? event['pathParameters'] : {};
  if (typeof parameters['source'] === 'string') return parameters['source'];
  return /\/webhooks\/([^/]+)$/.exec(text(event['rawPath']))?.[1] ?? '';
}

// Two names that differ only in case are one header sent twice; joined with a comma, as API Gateway
// joins them, so that a doubled signature is seen as one.
function lowerCase(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const lowered = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') continue;
    const key = name.toLowerCase();
    const before = lowered.get(key);
    lowered.set(key, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(lowered);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
