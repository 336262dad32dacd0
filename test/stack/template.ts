import type { Template } from 'aws-cdk-lib/assertions';

/** A resource of a template, as CloudFormation gets it. */
export interface Resource {
  readonly Type: string;
  // Each of some forty resource types has properties of its own, and assertions name the ones they are about; with
  // `unknown` every one of them would need a cast or a guard that proves nothing.
  // biome-ignore lint/suspicious/noExplicitAny: see above; it reaches assertions alone, which fail on what is not there
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
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

/** A function by its construct: `Receive`, `RetriesWork`, `OutboxDispatch`, `OutboxSweep` or `Consume`. */
export const lambda = (template: Template, construct: string): Resource =>
  byConstruct(template, 'AWS::Lambda::Function', `${construct}Function`);

/** A queue by its construct, for example `RetriesQueuesDeadLetters`. */
export const queue = (template: Template, construct: string): Resource =>
  byConstruct(template, 'AWS::SQS::Queue', construct);

/** What calls a function with the messages or records of something else. */
export function mapping(template: Template, construct: string): Resource {
  const found = Object.values(resourcesOfType(template, 'AWS::Lambda::EventSourceMapping')).filter(({ Properties }) =>
    Properties.FunctionName.Ref.startsWith(`${construct}Function`),
  );
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} mappings call ${construct}`);
  return found[0];
}

/** A table by its construct, for example `Inbox`; logical ids end in eight hex digits. */
export const table = (template: Template, construct: string): Resource =>
  byConstruct(template, 'AWS::DynamoDB::GlobalTable', `Storage${construct}`);

function byConstruct(template: Template, type: string, construct: string): Resource {
  const found = Object.entries(resourcesOfType(template, type)).find(([id]) =>
    new RegExp(`^${construct}[0-9A-F]{8}$`).test(id),
  );
  if (found === undefined) throw new Error(`there is no ${type} ${construct}`);
  return found[1];
}
