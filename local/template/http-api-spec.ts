import type { HttpApiSpec, RouteTarget } from '../http/http-front.ts';
import type { Route } from '../http/routes.ts';
import { Problem } from '../problem.ts';
import type { Place } from './physical-names.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import type { Resource, Template } from './template.ts';

/** The longest and the default time an HTTP API waits for a function.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const DEFAULT_INTEGRATION_TIMEOUT_MS = 30_000;

/**
 * The HTTP API of the stack with its routes.
 *
 * @throws Problem unless there is one API, of protocol HTTP, with a `$default` stage, and every
 * route leads to a function by payload format 2.0.
 */
export function readHttpApiSpec(template: Template, resolver: Resolver, place: Place): HttpApiSpec {
  const [api, ...others] = resourcesOf(template, 'AWS::ApiGatewayV2::Api');
  if (api === undefined || others.length > 0) {
    throw new Problem(
      `local AWS serves one HTTP API, and the template has ${others.length + (api === undefined ? 0 : 1)}`,
    );
  }
  if (api.properties['ProtocolType'] !== 'HTTP') throw new Problem(`${api.logicalId} is not an HTTP API`);
  const [stage] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage');
  if (stage?.properties['StageName'] !== '$default') {
    throw new Problem(`${api.logicalId} needs a stage named $default: local AWS serves paths without a stage`);
  }
  return {
    apiId: api.logicalId,
    accountId: place.accountId,
    stage: '$default',
    routes: resourcesOf(template, 'AWS::ApiGatewayV2::Route').map((route) => readRoute(route, template, resolver)),
  };
}

function readRoute(route: Resource, template: Template, resolver: Resolver): Route<RouteTarget> {
  const key = resolver.text(route.properties['RouteKey'], `${route.logicalId}.RouteKey`);
  const target = resolver.text(route.properties['Target'], `${route.logicalId}.Target`);
  const integration = template.resources.get(target.replace(/^integrations\//, ''));
  if (integration === undefined)
    throw new Problem(`${route.logicalId} leads to ${target}, which the template does not have`);

  const {
    IntegrationType: type,
    PayloadFormatVersion: format,
    TimeoutInMillis: timeout,
  } = {
    IntegrationType: undefined,
    PayloadFormatVersion: undefined,
    TimeoutInMillis: undefined,
    ...integration.properties,
  };
  if (type !== 'AWS_PROXY' || format !== '2.0') {
    throw new Problem(
      `${integration.logicalId} is ${type} ${format}: local AWS knows AWS_PROXY with payload format 2.0`,
    );
  }
  const uri = resolver.text(integration.properties['IntegrationUri'], `${integration.logicalId}.IntegrationUri`);
  const functionName = /:function:([^:/]+)/.exec(uri)?.[1];
  if (functionName === undefined) throw new Problem(`${integration.logicalId} does not lead to a function: ${uri}`);
  return { key, target: { functionName, timeoutMs: Number(timeout ?? DEFAULT_INTEGRATION_TIMEOUT_MS) } };
}
