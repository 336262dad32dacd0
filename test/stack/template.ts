import type { Template } from 'aws-cdk-lib/assertions';

/** A resource of a template, as CloudFormation gets it. */
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template's JSON has whatever its type of resource has
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** All resources by logical id. */
export const resourcesOf = (template: Template): Readonly<Record<string, Resource>> => template.toJSON()['Resources'];

/** The resources of a type by logical id. */
export const resourcesOfType = (template: Template, type: string): Readonly<Record<string, Resource>> =>
  Object.fromEntries(Object.entries(resourcesOf(template)).filter(([, resource]) => resource.Type === type));

/** The one resource of a type. */
export function onlyResource(template: Template, type: string): Resource {
  const found = Object.values(resourcesOfType(template, type));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} resources are of type ${type}`);
  return found[0];
}

/** A table by its construct, for example `Inbox`; logical ids end in eight hex digits. */
export function table(template: Template, construct: string): Resource {
  const found = Object.entries(resourcesOfType(template, 'AWS::DynamoDB::GlobalTable')).find(([id]) =>
    new RegExp(`^Storage${construct}[0-9A-F]{8}$`).test(id),
  );
  if (found === undefined) throw new Error(`there is no table ${construct}`);
  return found[1];
}
