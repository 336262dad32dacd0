/**
 * CloudFormation behind the gateway, by its query protocol.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscloudformation.html
 */
import type { Place } from '../../template/physical-names.ts';
import type { Answer, GatewayService, ServiceError } from '../gateway-service.ts';
import { xmlRefusal } from '../xml-answer.ts';

export const CLOUDFORMATION_XML = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

export const describeCloudFormationError = (error: ServiceError): Answer => xmlRefusal(CLOUDFORMATION_XML, error);

export function cloudFormationService({ region, accountId }: Place, target: string): GatewayService {
  /** Who asks by name asks for whatever stack has that name. */
  const stackArn = (nameOrId: string): string =>
    nameOrId.startsWith('arn:') ? nameOrId : `arn:aws:cloudformation:${region}:${accountId}:stack/${nameOrId}/*`;

  return {
    name: 'cloudformation',
    target,
    read({ body }) {
      const input = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
      const { Action: action = '', StackName: subject } = input;
      if (action !== 'DescribeStacks' && action !== 'ListStacks') return undefined;
      const resource = action === 'ListStacks' || subject === undefined ? '*' : stackArn(subject);
      const needs = [{ action: `cloudformation:${action}`, resource }];
      return { service: 'cloudformation', action, needs, input, subject: subject ?? '', items: 0 };
    },

    describeError: describeCloudFormationError,
    describeThrottling: () => describeCloudFormationError({ code: 'Throttling', message: 'Rate exceeded' }),
    describeConflict: () => undefined,
  };
}
