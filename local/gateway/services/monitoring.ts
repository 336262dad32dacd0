/**
 * CloudWatch behind the gateway, by its JSON protocol.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
 */
import { recordOf } from '../../template/template.ts';
import type { Answer, GatewayService, ServiceError } from '../gateway-service.ts';
import { jsonAnswer, statusOf } from '../json-answer.ts';
import { jsonService } from './json-service.ts';

const CONTENT_TYPE = 'application/x-amz-json-1.0';

export const describeMonitoringError = ({ code, message }: ServiceError): Answer =>
  jsonAnswer(statusOf(code), CONTENT_TYPE, { __type: `com.amazonaws.cloudwatch#${code}`, message });

export const monitoringAnswer = (fields: Readonly<Record<string, unknown>>): Answer =>
  jsonAnswer(200, CONTENT_TYPE, fields);

export const monitoringService = (target: string): GatewayService =>
  jsonService({
    name: 'monitoring',
    target,
    read(action, { body }) {
      if (action !== 'GetMetricData') return undefined;
      // CloudWatch has no resources for it: who may read one metric may read all.
      const needs = [{ action: 'cloudwatch:GetMetricData', resource: '*' }];
      return { needs, input: recordOf(JSON.parse(body.toString('utf8'))), subject: '' };
    },
    describeError: describeMonitoringError,
  });
