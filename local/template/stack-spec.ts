import type { FunctionSpec } from '../functions/function-spec.ts';
import type { HttpApiSpec } from '../http/http-front.ts';
import type { FunctionRole } from '../iam/function-role.ts';
import type { StreamMappingSpec } from '../mappings/mapping-spec.ts';
import type { ScheduleSpec } from '../mappings/schedule.ts';
import { readFunctionSpecs } from './function-specs.ts';
import { readHttpApiSpec } from './http-api-spec.ts';
import { readStreamMappingSpecs } from './mapping-specs.ts';
import type { Place } from './physical-names.ts';
import { type QueueSpec, readQueueSpecs } from './queue-specs.ts';
import { createResolver } from './resolver.ts';
import { checkResourceTypes } from './resource-types.ts';
import { readFunctionRoles } from './role-specs.ts';
import { readScheduleSpecs } from './schedule-specs.ts';
import { readSecretSpecs, type SecretSpec } from './secret-specs.ts';
import { readTableSpecs, type TableSpec } from './table-specs.ts';
import type { Template } from './template.ts';

/** Everything of a stack that local AWS runs, with every reference resolved. */
export interface StackSpec {
  readonly name: string;
  readonly tables: readonly TableSpec[];
  readonly secrets: readonly SecretSpec[];
  readonly functions: readonly FunctionSpec[];
  /** The role of each function. */
  readonly roles: readonly FunctionRole[];
  readonly httpApi: HttpApiSpec;
  readonly queues: readonly QueueSpec[];
  readonly mappings: readonly StreamMappingSpec[];
  readonly schedules: readonly ScheduleSpec[];
}

/**
 * Reads a template into what has to run.
 *
 * @throws Problem naming the logical id of what local AWS cannot run.
 */
export function readStackSpec(template: Template, place: Place): StackSpec {
  checkResourceTypes(template);
  const resolver = createResolver(template, place);
  const functions = readFunctionSpecs(template, resolver, place);
  const tables = readTableSpecs(template, resolver, place);
  return {
    name: template.stackName,
    tables,
    secrets: readSecretSpecs(template, place),
    functions,
    roles: readFunctionRoles(template, resolver, functions),
    httpApi: readHttpApiSpec(template, resolver, place),
    queues: readQueueSpecs(template, resolver),
    mappings: readStreamMappingSpecs(template, resolver, functions, tables),
    schedules: readScheduleSpecs(template, resolver, functions, place),
  };
}
