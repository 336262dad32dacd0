import type { FunctionSpec } from '../functions/function-spec.ts';
import { functionOf } from './function-of.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import type { Template } from './template.ts';

/** An event source mapping as Lambda lists it. */
export interface ListedMapping {
  readonly logicalId: string;
  readonly uuid: string;
  readonly sourceArn: string;
  readonly functionName: string;
  readonly functionArn: string;
  /** CloudFormation's default when `undefined`. */
  readonly batchSize: number | undefined;
  readonly isEnabled: boolean;
}

/** Every mapping of the stack, those too that the template switches off. */
export const readListedMappings = (
  template: Template,
  resolver: Resolver,
  functions: readonly FunctionSpec[],
): readonly ListedMapping[] =>
  resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(({ logicalId, properties }) => {
    const named = resolver.resolve(properties['FunctionName'], `${logicalId}.FunctionName`);
    const { name, arn } = functionOf(named, functions, logicalId);
    const batchSize = properties['BatchSize'];
    return {
      logicalId,
      uuid: resolver.text({ Ref: logicalId }, logicalId),
      sourceArn: resolver.text(properties['EventSourceArn'], `${logicalId}.EventSourceArn`),
      functionName: name,
      functionArn: arn,
      batchSize: typeof batchSize === 'number' ? batchSize : undefined,
      isEnabled: properties['Enabled'] !== false,
    };
  });
