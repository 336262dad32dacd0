import { describe, expect, it } from 'vitest';
import { aStack } from './a-stack.ts';
import { onlyResource, resourcesOfType } from './template.ts';

const { template } = aStack({ context: { throttleRatePerSecond: 300, throttleBurst: '900' } });

describe('the HTTP API (CDK-09)', () => {
  it('has one route, for any method', () => {
    const routes = Object.values(resourcesOfType(template, 'AWS::ApiGatewayV2::Route'));

    expect(routes.map(({ Properties }) => Properties.RouteKey)).toEqual(['ANY /webhooks/{source}']);
  });

  it('hands over events in payload format 2.0', () => {
    expect(onlyResource(template, 'AWS::ApiGatewayV2::Integration').Properties).toMatchObject({
      IntegrationType: 'AWS_PROXY',
      PayloadFormatVersion: '2.0',
    });
  });

  it('waits for the function as long as it may: its default is its longest, 30 s', () => {
    expect(onlyResource(template, 'AWS::ApiGatewayV2::Integration').Properties.TimeoutInMillis).toBeUndefined();
  });

  it('lets through what the settings say', () => {
    expect(onlyResource(template, 'AWS::ApiGatewayV2::Stage').Properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 300, ThrottlingBurstLimit: 900 },
    });
  });

  it("lets a burst through by default that is the account's quota", () => {
    expect(onlyResource(aStack().template, 'AWS::ApiGatewayV2::Stage').Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 2000,
      ThrottlingBurstLimit: 5000,
    });
  });

  it('may call the function for that route alone', () => {
    const permissions = Object.values(resourcesOfType(template, 'AWS::Lambda::Permission')).filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );

    expect(
      permissions.map(({ Properties }) => [Properties.FunctionName, JSON.stringify(Properties.SourceArn)]),
    ).toEqual([
      [
        { 'Fn::GetAtt': [expect.stringMatching(/^ReceiveFunction/), 'Arn'] },
        expect.stringContaining('/*/*/webhooks/{source}'),
      ],
    ]);
  });
});

describe('the access log', () => {
  const format: Readonly<Record<string, string>> = JSON.parse(
    onlyResource(template, 'AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings.Format,
  );

  it("can be matched with the function's own lines", () => {
    expect(format['requestId']).toBe('$context.requestId');
  });

  it('has nothing of headers, query or body', () => {
    const known =
      /^\$context\.(requestId|requestTime|httpMethod|path|status|response(Length|Latency)|integration(Latency|Status|ErrorMessage))$/;

    for (const value of Object.values(format)) expect(value).toMatch(known);
  });
});
