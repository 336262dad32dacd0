import { describe, expect, it } from 'vitest';
import { cloudFormationService } from '../../../../../local/gateway/services/cloudformation.ts';
import { lambdaService } from '../../../../../local/gateway/services/lambda.ts';
import { logsService } from '../../../../../local/gateway/services/logs.ts';
import { monitoringService } from '../../../../../local/gateway/services/monitoring.ts';
import { A_PLACE } from '../../fixtures/a-template.ts';

const NOWHERE = 'http://127.0.0.1:1';
const cloudFormation = cloudFormationService(A_PLACE, NOWHERE);
const lambda = lambdaService(A_PLACE, NOWHERE);
const logs = logsService(A_PLACE, NOWHERE);
const monitoring = monitoringService(NOWHERE);

const form = (body: string) => ({ method: 'POST', path: '/', headers: {}, body: Buffer.from(body) });
const json = (target: string, input: object) => ({
  method: 'POST',
  path: '/',
  headers: { 'x-amz-target': target },
  body: Buffer.from(JSON.stringify(input)),
});
const get = (path: string) => ({ method: 'GET', path, headers: {}, body: Buffer.alloc(0) });

describe('what IAM must allow', () => {
  it.each([
    ['Action=DescribeStacks&StackName=A-b', 'arn:aws:cloudformation:us-east-1:000000000000:stack/A-b/*'],
    ['Action=DescribeStacks&StackName=arn%3Aaws%3Acloudformation%3Ax', 'arn:aws:cloudformation:x'],
    ['Action=DescribeStacks', '*'],
  ])('to describe stacks by %s is that on the stack', (body, resource) => {
    expect(cloudFormation.read(form(body))?.needs).toEqual([{ action: 'cloudformation:DescribeStacks', resource }]);
  });

  it.each([
    [{ logGroupName: 'A' }],
    [{ logGroupIdentifier: 'A' }],
    [{ logGroupIdentifier: 'arn:aws:logs:us-east-1:000000000000:log-group:A' }],
    [{ logGroupIdentifier: 'arn:aws:logs:us-east-1:000000000000:log-group:A:*' }],
  ])('to look for lines in %j is that on the streams of the group', (input) => {
    expect(logs.read(json('Logs_20140328.FilterLogEvents', input))?.needs).toEqual([
      { action: 'logs:FilterLogEvents', resource: 'arn:aws:logs:us-east-1:000000000000:log-group:A:log-stream:' },
    ]);
  });

  it('to read metrics is that on everything', () => {
    expect(monitoring.read(json('GraniteServiceVersion20100801.GetMetricData', {}))?.needs).toEqual([
      { action: 'cloudwatch:GetMetricData', resource: '*' },
    ]);
  });

  it.each([
    ['/2015-03-31/event-source-mappings?FunctionName=f', 'ListEventSourceMappings', '*'],
    ['/2015-03-31/event-source-mappings/', 'ListEventSourceMappings', '*'],
    [
      '/2015-03-31/event-source-mappings/u-1',
      'GetEventSourceMapping',
      'arn:aws:lambda:us-east-1:000000000000:event-source-mapping:u-1',
    ],
    [
      '/2015-03-31/functions/f/configuration',
      'GetFunctionConfiguration',
      'arn:aws:lambda:us-east-1:000000000000:function:f',
    ],
    [
      '/2015-03-31/functions/arn%3Aaws%3Alambda%3Aus-east-1%3A000000000000%3Afunction%3Af/configuration',
      'GetFunctionConfiguration',
      'arn:aws:lambda:us-east-1:000000000000:function:f',
    ],
  ])('to ask Lambda for %s is %s', (path, action, resource) => {
    expect(lambda.read(get(path))?.needs).toEqual([{ action: `lambda:${action}`, resource }]);
  });

  it('is unknown for what nobody wrote down', () => {
    expect(cloudFormation.read(form('Action=DeleteStack&StackName=A'))).toBeUndefined();
    expect(logs.read(json('Logs_20140328.DeleteLogGroup', {}))).toBeUndefined();
    expect(monitoring.read(json('GraniteServiceVersion20100801.PutMetricData', {}))).toBeUndefined();
    expect(lambda.read(get('/2015-03-31/functions/f'))).toBeUndefined();
    expect(lambda.read({ ...get('/2015-03-31/functions/f/configuration'), method: 'PUT' })).toBeUndefined();
  });
});
