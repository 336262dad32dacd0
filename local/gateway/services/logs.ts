/**
 * CloudWatch Logs behind the gateway.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatchlogs.html
 */
import type { Place } from '../../template/physical-names.ts';
import { recordOf } from '../../template/template.ts';
import type { Answer, GatewayService, ServiceError } from '../gateway-service.ts';
import { jsonAnswer, statusOf } from '../json-answer.ts';
import { jsonService } from './json-service.ts';

const CONTENT_TYPE = 'application/x-amz-json-1.1';

export const describeLogsError = ({ code, message }: ServiceError): Answer =>
  jsonAnswer(statusOf(code), CONTENT_TYPE, {
    __type: code,
    [code === 'AccessDeniedException' ? 'Message' : 'message']: message,
  });

export const logsAnswer = (fields: Readonly<Record<string, unknown>>): Answer => jsonAnswer(200, CONTENT_TYPE, fields);

export const logsService = ({ region, accountId }: Place, target: string): GatewayService =>
  jsonService({
    name: 'logs',
    target,
    read(action, { body }) {
      if (action !== 'FilterLogEvents') return undefined;
      const input = recordOf(JSON.parse(body.toString('utf8')));
      const subject = logGroupOf(input);
      // IAM sees the group's streams, and none of them by name.
      const resource = `arn:aws:logs:${region}:${accountId}:log-group:${subject}:log-stream:`;
      return { needs: [{ action: 'logs:FilterLogEvents', resource }], input, subject };
    },
    describeError: describeLogsError,
  });

/** The name of the log group that a request names, or has the ARN of. */
export const logGroupOf = (input: Readonly<Record<string, unknown>>): string =>
  String(input['logGroupName'] ?? input['logGroupIdentifier'] ?? '')
    .replace(/^arn:[^:]*:logs:[^:]*:[^:]*:log-group:/, '')
    .replace(/:\*$/, '');
