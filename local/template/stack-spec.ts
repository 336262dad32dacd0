import type { FunctionSpec } from '../functions/function-spec.ts';
import type { HttpApiSpec } from '../http/http-front.ts';
import type { FunctionRole } from '../iam/function-role.ts';
import type { MappingSpec } from '../mappings/mapping-spec.ts';
import type { ScheduleSpec } from '../mappings/schedule.ts';
import { type BucketSpec, readBucketSpecs } from './bucket-specs.ts';
import { readFunctionSpecs } from './function-specs.ts';
import { readHttpApiSpec } from './http-api-spec.ts';
import { readMappingSpecs } from './mapping-specs.ts';
import { type Output, readOutputs } from './outputs.ts';
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
  readonly buckets: readonly BucketSpec[];
  readonly mappings: readonly MappingSpec[];
  readonly schedules: readonly ScheduleSpec[];
  readonly outputs: readonly Output[];
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
  const queues = readQueueSpecs(template, resolver);
  return {
    name: template.stackName,
    tables,
    secrets: readSecretSpecs(template, place),
    functions,
    roles: readFunctionRoles(template, resolver, functions),
    httpApi: readHttpApiSpec(template, resolver, place),
    queues,
    buckets: readBucketSpecs(template, resolver),
    mappings: readMappingSpecs(template, resolver, { functions, tables, queues }),
    schedules: readScheduleSpecs(template, resolver, functions, place),
    outputs: readOutputs(template, resolver),
  };
}
