import { Problem } from '../problem.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import type { Template } from './template.ts';

/** What the stack says of itself. */
export interface Output {
  readonly id: string;
  readonly value: string;
}

/**
 * The outputs of the stack; those that speak of what is only in AWS, such as a dashboard, are left out.
 *
 * @param apiUrl Where the HTTP API answers, which here is also where a domain of the stack's leads.
 */
export function readOutputs(template: Template, resolver: Resolver, apiUrl?: string): readonly Output[] {
  const domains = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName').map(
    ({ logicalId, properties }) => `https://${resolver.text(properties['DomainName'], `${logicalId}.DomainName`)}`,
  );
  const toLocal = (url: string): string => {
    const domain = domains.find((each) => url === each || url.startsWith(`${each}/`));
    return domain === undefined || apiUrl === undefined ? url : apiUrl + url.slice(domain.length);
  };
  return [...template.outputs].flatMap(([id, value]) => {
    try {
      return [{ id, value: toLocal(resolver.text(value, `output ${id}`)) }];
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  });
}
