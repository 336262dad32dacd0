import { type Place, physicalId } from './physical-names.ts';
import { resourcesOf } from './resource-types.ts';
import type { Template } from './template.ts';

/** A Secrets Manager secret of the stack. */
export interface SecretSpec {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
}

export function readSecretSpecs(template: Template, place: Place): readonly SecretSpec[] {
  return resourcesOf(template, 'AWS::SecretsManager::Secret').map((resource) => ({
    logicalId: resource.logicalId,
    name: `${template.stackName}-${resource.logicalId}`,
    arn: physicalId(template, resource, place),
  }));
}
