import type { FunctionSpec } from './functions/function-spec.ts';
import { readFunctionSpecs } from './template/function-specs.ts';
import { type ListedMapping, readListedMappings } from './template/listed-mappings.ts';
import { type LogGroups, readLogGroups } from './template/log-groups.ts';
import { type Output, readOutputs } from './template/outputs.ts';
import type { Place } from './template/physical-names.ts';
import { createResolver } from './template/resolver.ts';
import { readManagedPolicy } from './template/role-specs.ts';
import { stackIdOf } from './template/stack-id.ts';
import { readTableSpecs, type TableSpec } from './template/table-specs.ts';
import type { Template } from './template/template.ts';

/** The stack that runs here, for who asks AWS about it. */
export interface DeployedStack {
  readonly name: string;
  readonly id: string;
  readonly createdAtMs: number;
  /** Of the latest deploy but for the first. */
  readonly updatedAtMs: number | undefined;
  readonly functions: readonly FunctionSpec[];
  readonly mappings: readonly ListedMapping[];
  readonly tables: readonly TableSpec[];
  readonly logGroups: LogGroups;
  /** Those that have a meaning here, with queue URLs that begin with `sqsUrl`. */
  outputs(sqsUrl?: string): readonly Output[];
  /**
   * A managed policy of the stack by logical id or ARN, every reference resolved.
   *
   * @throws Problem when there is none, or it names what has no ARN here.
   */
  managedPolicy(idOrArn: string): Readonly<Record<string, unknown>>;
}

/** @param before the same stack as it was until now */
export function readDeployedStack(
  template: Template,
  place: Place,
  now: number,
  before: DeployedStack | undefined,
): DeployedStack {
  const resolver = createResolver(template, place);
  const functions = readFunctionSpecs(template, resolver, place);
  return {
    name: template.stackName,
    id: stackIdOf(template.stackName, place),
    createdAtMs: before?.createdAtMs ?? now,
    updatedAtMs: before === undefined ? undefined : now,
    functions,
    mappings: readListedMappings(template, resolver, functions),
    tables: readTableSpecs(template, resolver, place),
    logGroups: readLogGroups(template, place, functions),
    outputs: (sqsUrl) =>
      readOutputs(
        template,
        sqsUrl === undefined ? resolver : createResolver(template, { ...place, sqsUrl }),
        place.apiUrl,
      ),
    managedPolicy: (idOrArn) => readManagedPolicy(template, resolver, idOrArn),
  };
}
