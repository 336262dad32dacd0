import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Answer } from './gateway-service.ts';

/** An answer of a service that speaks JSON, with the headers that AWS gives one. */
export function jsonAnswer(status: number, contentType: string, fields: Readonly<Record<string, unknown>>): Answer {
  const body = Buffer.from(JSON.stringify(fields));
  return {
    status,
    headers: [
      ...['x-amzn-RequestId', randomUUID()],
      ...['Content-Type', contentType],
      ...['x-amz-crc32', String(crc32(body))],
      ...['Content-Length', String(body.length)],
    ],
    body,
  };
}

const STATUS: Readonly<Record<string, number>> = {
  InternalFailure: 500,
  InternalServerError: 500,
  InternalServiceError: 500,
  ServiceUnavailable: 503,
};

/** The status of an error by its code: 400, unless the fault is the service's. */
export const statusOf = (code: string): number => STATUS[code] ?? 400;
