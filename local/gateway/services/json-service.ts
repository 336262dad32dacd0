import type { Answer, GatewayService, ServiceCall, ServiceError, ServiceRequest } from '../gateway-service.ts';

/** What differs between services that are asked by `x-amz-target` and have nothing to batch or to hold. */
export interface JsonServiceParts {
  readonly name: string;
  readonly target: string;
  /** Of a request without its action's prefix: what it asks for, or `undefined` when nobody wrote it down. */
  readonly read: (
    action: string,
    request: ServiceRequest,
  ) => Pick<ServiceCall, 'needs' | 'input' | 'subject'> | undefined;
  readonly describeError: (error: ServiceError) => Answer;
}

/** A service behind the gateway that speaks AWS's JSON protocol. */
export const jsonService = ({ name, target, read, describeError }: JsonServiceParts): GatewayService => ({
  name,
  target,
  read(request) {
    const action = targetActionOf(request);
    const call = read(action, request);
    return call === undefined ? undefined : { service: name, action, ...call, items: 0 };
  },
  describeError,
  describeThrottling: () => describeError({ code: 'ThrottlingException', message: 'Rate exceeded' }),
  describeConflict: () => undefined,
});

/** The action of a request: what follows the service's name and version in `x-amz-target`. */
export const targetActionOf = ({ headers }: Pick<ServiceRequest, 'headers'>): string =>
  String(headers['x-amz-target']).replace(/^[^.]*\./, '');
