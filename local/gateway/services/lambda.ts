/**
 * Lambda behind the gateway: what functions and mappings are there.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html
 */
import type { Place } from '../../template/physical-names.ts';
import type { Answer, GatewayService, ServiceCall, ServiceError, ServiceRequest } from '../gateway-service.ts';
import { jsonAnswer } from '../json-answer.ts';

const CONTENT_TYPE = 'application/json';

const STATUS: Readonly<Record<string, number>> = {
  AccessDeniedException: 403,
  InternalFailure: 500,
  MissingAuthenticationTokenException: 403,
  ResourceNotFoundException: 404,
  ServiceException: 500,
  ServiceUnavailable: 503,
  TooManyRequestsException: 429,
  UnknownOperationException: 404,
  UnrecognizedClientException: 403,
};

/** A request to Lambda that is known here. */
export type LambdaRequest =
  | { readonly action: 'ListEventSourceMappings'; readonly parameters: URLSearchParams }
  | { readonly action: 'GetEventSourceMapping'; readonly uuid: string }
  | { readonly action: 'GetFunctionConfiguration'; readonly functionName: string };

export function readLambdaRequest({ method, path }: ServiceRequest): LambdaRequest | undefined {
  const { pathname, searchParams: parameters } = new URL(path, 'http://lambda');
  const [version, kind, id, what, ...more] = pathname.split('/').slice(1).map(decodeURIComponent);
  if (method !== 'GET' || version !== '2015-03-31' || more.length > 0) return undefined;
  if (kind === 'event-source-mappings' && what === undefined) {
    return id === undefined || id === ''
      ? { action: 'ListEventSourceMappings', parameters }
      : { action: 'GetEventSourceMapping', uuid: id };
  }
  if (kind === 'functions' && id !== undefined && what === 'configuration')
    return { action: 'GetFunctionConfiguration', functionName: plainFunctionName(id) };
  return undefined;
}

/** A function's name, also where its ARN is given, whole or from the account on. */
export const plainFunctionName = (nameOrArn: string): string =>
  /(?:^|:)function:([^:]+)/.exec(nameOrArn)?.[1] ?? nameOrArn;

export function describeLambdaError({ code, message }: ServiceError): Answer {
  const status = STATUS[code] ?? 400;
  const answer = jsonAnswer(status, CONTENT_TYPE, { Type: status < 500 ? 'User' : 'Service', Message: message });
  return { ...answer, headers: [...answer.headers, 'x-amzn-ErrorType', code] };
}

export const lambdaAnswer = (fields: Readonly<Record<string, unknown>>): Answer =>
  jsonAnswer(200, CONTENT_TYPE, fields);

export function lambdaService({ region, accountId }: Place, target: string): GatewayService {
  const arnOf = (resource: string): string => `arn:aws:lambda:${region}:${accountId}:${resource}`;

  function needOf(request: LambdaRequest): { readonly resource: string; readonly subject: string } {
    switch (request.action) {
      case 'ListEventSourceMappings':
        return { resource: '*', subject: request.parameters.get('FunctionName') ?? '' };
      case 'GetEventSourceMapping':
        return { resource: arnOf(`event-source-mapping:${request.uuid}`), subject: request.uuid };
      case 'GetFunctionConfiguration':
        return { resource: arnOf(`function:${request.functionName}`), subject: request.functionName };
    }
  }

  return {
    name: 'lambda',
    target,
    read(request): ServiceCall | undefined {
      const known = readLambdaRequest(request);
      if (known === undefined) return undefined;
      const { action } = known;
      const { resource, subject } = needOf(known);
      return {
        service: 'lambda',
        action,
        needs: [{ action: `lambda:${action}`, resource }],
        input: { subject },
        subject,
        items: 0,
      };
    },
    describeError: describeLambdaError,
    describeThrottling: () => describeLambdaError({ code: 'TooManyRequestsException', message: 'Rate exceeded' }),
    describeConflict: () => undefined,
  };
}
