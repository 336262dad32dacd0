import { Aws, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  DomainName,
  EndpointType,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
  PayloadFormatVersion,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { WEBHOOK_ROUTE } from '../lambda/contract.ts';
import { type CustomDomain, customDomainOf } from './domain-settings.ts';
import { durabilityOf } from './durability.ts';
import type { Settings } from './settings.ts';

/** What the access log has of a request: nothing of its headers, its query or its body. */
const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  domainName: '$context.domainName',
  httpMethod: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
} as const;

export interface IngressProps {
  readonly settings: Settings;
  readonly receive: IFunction;
}

/** The webhook URLs: one HTTP API with one route. */
export class Ingress extends Construct {
  /** Without a slash at the end. */
  readonly url: string;
  readonly api: IHttpApi;
  /** Where DNS has to lead the host name of the settings; absent without one. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, props: IngressProps) {
    super(scope, id);
    const { settings } = props;
    const customDomain = customDomainOf(settings);

    const api = new HttpApi(this, 'Api', {
      // Shown in the console only; two APIs may share it.
      apiName: Aws.STACK_NAME,
      description: 'Oncehook webhooks',
      createDefaultStage: false,
      disableExecuteApiEndpoint: customDomain !== undefined && !settings.keepDefaultEndpoint,
    });
    this.api = api;

    const route = new HttpRoute(this, 'Webhook', {
      httpApi: api,
      // Any method: a handshake may be a GET, and a method nobody routes would get API Gateway's own 404.
      routeKey: HttpRouteKey.with(WEBHOOK_ROUTE, HttpMethod.ANY),
      // `receive` reads payload format 2.0 and no other. The timeout is left at API Gateway's 30 s, the longest there
      // is, so that the function's own comes first.
      integration: new HttpLambdaIntegration('Receive', props.receive, {
        payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      }),
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Providers cannot sign in to AWS. `receive` checks their signature over the raw bytes before it does anything.',
    });

    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: durabilityOf(settings.stage).removalPolicy,
    });
    const stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: settings.throttleRatePerSecond, burstLimit: settings.throttleBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
      },
    });

    const domain = customDomain === undefined ? undefined : this.addDomain(customDomain, api, stage);
    this.domainTarget = domain?.regionalDomainName;
    this.url = domain === undefined ? api.apiEndpoint : `https://${domain.name}`;
  }

  private addDomain({ name, certificateArn }: CustomDomain, api: IHttpApi, stage: HttpStage): DomainName {
    const domain = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    // Without a key: the paths are the same as without a domain.
    new ApiMapping(this, 'DomainMapping', { api, domainName: domain, stage });
    return domain;
  }
}
