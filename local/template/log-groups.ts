import type { FunctionSpec } from '../functions/function-spec.ts';
import { type Place, physicalId } from './physical-names.ts';
import { resourcesOf } from './resource-types.ts';
import type { Template } from './template.ts';

/** The keys of the functions that write to each log group of the stack, by its name; none to some. */
export type LogGroups = ReadonlyMap<string, readonly string[]>;

export function readLogGroups(template: Template, place: Place, functions: readonly FunctionSpec[]): LogGroups {
  const own = resourcesOf(template, 'AWS::Logs::LogGroup').map((group) => physicalId(template, group, place));
  const names = new Set([...own, ...functions.map(({ logGroup }) => logGroup)]);
  return new Map(
    [...names].map((name) => [name, functions.filter(({ logGroup }) => logGroup === name).map(({ key }) => key)]),
  );
}
