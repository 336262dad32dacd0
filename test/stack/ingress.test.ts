import { describe, expect, it } from 'vitest';
import { aStack, EVERYTHING } from './a-stack.ts';
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

describe('without a domain', () => {
  it("answers under API Gateway's own name, and no resource of a domain is there", () => {
    expect(onlyResource(template, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(false);
    template.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
    template.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 0);
  });
});

describe('with a domain', () => {
  const { template: domain } = aStack(EVERYTHING);
  const outputs = domain.toJSON()['Outputs'];

  it("switches API Gateway's own name off", () => {
    expect(onlyResource(domain, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(true);
  });

  it('may keep that name while providers are moved', () => {
    const { template: moving } = aStack({ context: { ...EVERYTHING.context, keepDefaultEndpoint: true } });

    expect(onlyResource(moving, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(false);
    expect(moving.toJSON()['Outputs'].ApiUrl).toEqual(outputs.ApiUrl);
  });

  it('serves it in one Region, with its certificate, by TLS 1.2 at least', () => {
    expect(onlyResource(domain, 'AWS::ApiGatewayV2::DomainName').Properties).toEqual({
      DomainName: 'hooks.example.com',
      DomainNameConfigurations: [
        {
          CertificateArn: EVERYTHING.context.domainCertificateArn,
          EndpointType: 'REGIONAL',
          SecurityPolicy: 'TLS_1_2',
        },
      ],
    });
  });

  it('leads it to the one stage without a path of its own, so that webhook paths stay as they are', () => {
    const { Properties, DependsOn } = onlyResource(domain, 'AWS::ApiGatewayV2::ApiMapping');

    expect(Properties).toMatchObject({
      ApiId: { Ref: expect.stringMatching(/^IngressApi/) },
      DomainName: { Ref: expect.stringMatching(/^IngressDomain/) },
      Stage: '$default',
    });
    expect(DependsOn).toContainEqual(expect.stringMatching(/^IngressStage/));
    expect(Properties.ApiMappingKey).toBeUndefined();
  });

  it('names it in the URLs of the outputs, and the name to which DNS has to lead', () => {
    const name = { Ref: expect.stringMatching(/^IngressDomain/) };

    expect(outputs.ApiUrl.Value).toEqual({ 'Fn::Join': ['', ['https://', name]] });
    expect(outputs.WebhookUrlPatient.Value).toEqual({ 'Fn::Join': ['', ['https://', name, '/webhooks/patient']] });
    expect(outputs.DomainTarget.Value).toEqual({ 'Fn::GetAtt': [name.Ref, 'RegionalDomainName'] });
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
      /^\$context\.(requestId|requestTime|domainName|httpMethod|path|status|response(Length|Latency)|integration(Latency|Status|ErrorMessage))$/;

    for (const value of Object.values(format)) expect(value).toMatch(known);
  });
});
