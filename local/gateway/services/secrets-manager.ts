/**
 * Secrets Manager behind the gateway.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html
 */
import type { SecretStore } from '../../secrets/secret-store.ts';
import type { Place } from '../../template/physical-names.ts';
import { recordOf } from '../../template/template.ts';
import type { GatewayService } from '../gateway-service.ts';
import { jsonAnswer, statusOf } from '../json-answer.ts';

const CONTENT_TYPE = 'application/x-amz-json-1.1';

/** Each needs the action it is called by, on the secret. */
const ACTIONS = new Set(['GetSecretValue', 'PutSecretValue', 'DescribeSecret']);

export function secretsManagerService(
  { region, accountId }: Place,
  target: string,
  secrets: Pick<SecretStore, 'find'>,
): GatewayService {
  /** IAM knows secrets by ARN, however the caller names one. */
  const arnOf = (id: string): string =>
    secrets.find(id)?.arn ??
    (id.startsWith('arn:') ? id : `arn:aws:secretsmanager:${region}:${accountId}:secret:${id}`);

  return {
    name: 'secretsmanager',
    target,
    read({ headers, body }) {
      const action = String(headers['x-amz-target']).replace(/^secretsmanager\./, '');
      if (!ACTIONS.has(action)) return undefined;
      const input = recordOf(JSON.parse(body.toString('utf8')));
      const subject = String(input['SecretId']);
      const needs = [{ action: `secretsmanager:${action}`, resource: arnOf(subject) }];
      return { service: 'secretsmanager', action, needs, input, subject, items: 0 };
    },

    describeError: ({ code, message }) =>
      jsonAnswer(statusOf(code), CONTENT_TYPE, {
        __type: code,
        [code === 'AccessDeniedException' ? 'Message' : 'message']: message,
      }),
    describeThrottling: () =>
      jsonAnswer(400, CONTENT_TYPE, { __type: 'ThrottlingException', message: 'Rate exceeded' }),
    describeConflict: () => undefined,
  };
}
