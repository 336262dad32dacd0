/**
 * S3 behind the gateway: objects one by one, and their list.
 *
 * Requests name their bucket in the path, which is how the SDK calls an endpoint that is an IP address.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */

import type { Answer, GatewayService, ServiceRequest } from '../gateway-service.ts';
import { xmlError } from '../xml-error.ts';

/** By method, with what IAM must allow. */
const ON_OBJECT: Readonly<Record<string, { readonly action: string; readonly needed: string } | undefined>> = {
  PUT: { action: 'PutObject', needed: 's3:PutObject' },
  GET: { action: 'GetObject', needed: 's3:GetObject' },
  HEAD: { action: 'HeadObject', needed: 's3:GetObject' },
  DELETE: { action: 'DeleteObject', needed: 's3:DeleteObject' },
};
const ON_BUCKET: Readonly<Record<string, string | undefined>> = { GET: 'ListObjectsV2', HEAD: 'HeadBucket' };

/** Parameters that do not make another action of a request. */
const OF_OBJECT = new Set(['x-id']);
const OF_LIST = new Set([
  'continuation-token',
  'delimiter',
  'encoding-type',
  'fetch-owner',
  'list-type',
  'max-keys',
  'prefix',
  'start-after',
  'x-id',
]);

/** What the gateway's errors are called here, with their status. */
const CODES: Readonly<Record<string, readonly [code: string, status: number] | undefined>> = {
  AccessDeniedException: ['AccessDenied', 403],
  InternalFailure: ['InternalError', 500],
  InternalServerError: ['InternalError', 500],
  InternalError: ['InternalError', 500],
  MissingAuthenticationTokenException: ['AccessDenied', 403],
  NoSuchBucket: ['NoSuchBucket', 404],
  NoSuchKey: ['NoSuchKey', 404],
  RequestTimeout: ['RequestTimeout', 400],
  ServiceUnavailable: ['ServiceUnavailable', 503],
  SlowDown: ['SlowDown', 503],
  UnknownOperationException: ['NotImplemented', 501],
  UnrecognizedClientException: ['InvalidAccessKeyId', 403],
};

export function s3Service(target: string): GatewayService {
  return {
    name: 's3',
    target,
    read(request) {
      const { pathname, searchParams } = new URL(request.path, target);
      const [, bucket = '', ...rest] = pathname.split('/');
      const key = decodeURIComponent(rest.join('/'));
      const bucketArn = `arn:aws:s3:::${bucket}`;
      const known = key === '' ? readBucketAction(request) : readObjectAction(request);
      const parameters = key === '' ? OF_LIST : OF_OBJECT;
      if (known === undefined || ![...searchParams.keys()].every((name) => parameters.has(name))) return undefined;
      const absence = { toSeeAbsence: { action: 's3:ListBucket', resource: bucketArn } };
      return {
        service: 's3',
        action: known.action,
        needs: [{ action: known.needed, resource: key === '' ? bucketArn : `${bucketArn}/${key}` }],
        ...(known.needed === 's3:GetObject' && absence),
        input: { Bucket: bucket, Key: key },
        subject: `${bucket} ${key}`,
        items: 0,
      };
    },

    describeError({ code, message }) {
      const [known, status] = CODES[code] ?? [code, 400];
      return refusal(status, known, message);
    },
    describeThrottling: () => refusal(503, 'SlowDown', 'Please reduce your request rate.'),
    describeConflict: () => undefined,
  };
}

function readBucketAction({ method, path }: ServiceRequest) {
  const action = ON_BUCKET[method];
  const isKnown = action === 'HeadBucket' || path.includes('list-type=2');
  return action !== undefined && isKnown ? { action, needed: 's3:ListBucket' } : undefined;
}

/** A copy reads another object as well. */
const readObjectAction = ({ method, headers }: ServiceRequest) =>
  headers['x-amz-copy-source'] === undefined ? ON_OBJECT[method] : undefined;

function refusal(status: number, code: string, message: string): Answer {
  const body = Buffer.from(xmlError(code, message));
  return { status, headers: ['Content-Type', 'application/xml', 'Content-Length', String(body.length)], body };
}
