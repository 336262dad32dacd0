import { randomUUID } from 'node:crypto';
import type { Answer, ServiceError } from './gateway-service.ts';

/** An element with elements in it, or with a text. A list is written as AWS's query protocol does. */
export type Xml = string | readonly Xml[] | { readonly [name: string]: Xml | undefined };

/** What CloudFormation calls the gateway's errors. */
const CODES: Readonly<Record<string, string>> = {
  AccessDeniedException: 'AccessDenied',
  MissingAuthenticationTokenException: 'MissingAuthenticationToken',
  SerializationException: 'MalformedInput',
  UnknownOperationException: 'InvalidAction',
  UnrecognizedClientException: 'InvalidClientTokenId',
};
const FORBIDDEN = new Set(['AccessDenied', 'InvalidClientTokenId', 'MissingAuthenticationToken']);

/** An answer in AWS's query protocol.
 * @see https://smithy.io/2.0/aws/protocols/aws-query-protocol.html */
export const xmlAnswer = (namespace: string, action: string, result: Xml): Answer =>
  answer(200, namespace, `${action}Response`, {
    [`${action}Result`]: result,
    ResponseMetadata: { RequestId: randomUUID() },
  });

/** A refusal in AWS's query protocol. */
export function xmlRefusal(namespace: string, { code, message }: ServiceError): Answer {
  const known = CODES[code] ?? code;
  const isOurs = code === 'InternalFailure' || code === 'ServiceUnavailable';
  const refused = FORBIDDEN.has(known) ? 403 : 400;
  return answer(isOurs ? 500 : refused, namespace, 'ErrorResponse', {
    Error: { Type: isOurs ? 'Receiver' : 'Sender', Code: known, Message: message },
    RequestId: randomUUID(),
  });
}

function answer(status: number, namespace: string, root: string, content: Xml): Answer {
  const body = Buffer.from(`<${root} xmlns="${namespace}">${write(content)}</${root}>`);
  return { status, headers: ['Content-Type', 'text/xml', 'Content-Length', String(body.length)], body };
}

function write(content: Xml): string {
  if (typeof content === 'string') return escapeXml(content);
  if (isList(content)) return content.map((member) => `<member>${write(member)}</member>`).join('');
  return Object.entries(content)
    .map(([name, inner]) => (inner === undefined ? '' : `<${name}>${write(inner)}</${name}>`))
    .join('');
}

const isList = (content: Xml): content is readonly Xml[] => Array.isArray(content);

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
