import type { FunctionSpec } from '../functions/function-spec.ts';
import type { MappingSpec } from '../mappings/mapping-spec.ts';
import { Problem } from '../problem.ts';
import type { MappingReader } from './mapping-reader.ts';
import { readQueueMapping } from './queue-mapping-spec.ts';
import type { QueueSpec } from './queue-specs.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import { readStreamMapping } from './stream-mapping-spec.ts';
import type { TableSpec } from './table-specs.ts';
import type { Resource, Template } from './template.ts';

/** What a mapping can lead from and to. */
export interface MappingEnds {
  readonly functions: readonly FunctionSpec[];
  readonly tables: readonly TableSpec[];
  readonly queues: readonly QueueSpec[];
}

/**
 * The event source mappings of the stack, but for those that are switched off.
 *
 * @throws Problem for one that is not from the stream of one of the stack's tables or from one of its queues,
 * or has what local AWS does not know.
 */
export function readMappingSpecs(template: Template, resolver: Resolver, ends: MappingEnds): readonly MappingSpec[] {
  return resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties['Enabled'] !== false)
    .map((resource) => readMapping(resource, resolver, ends));
}

function readMapping({ logicalId, properties }: Resource, resolver: Resolver, ends: MappingEnds): MappingSpec {
  const mapping: MappingReader = {
    logicalId,
    read: (property) => resolver.resolve(properties[property], `${logicalId}.${property}`),
    allowOnly(known) {
      const unknown = Object.keys(properties).find((name) => !known.has(name));
      if (unknown !== undefined)
        throw new Problem(`${logicalId} has ${unknown}, which local AWS does not know of such a mapping`);
    },
  };
  const sourceArn = String(mapping.read('EventSourceArn'));
  const queue = ends.queues.find(({ arn }) => arn === sourceArn);
  if (queue !== undefined) return readQueueMapping(mapping, queue, ends.functions);
  const tableName = /^arn:[^:]*:dynamodb:[^:]*:[^:]*:table\/([^/]+)\/stream\//.exec(sourceArn)?.[1];
  const table = ends.tables.find(({ name }) => name === tableName);
  if (table?.create.StreamSpecification === undefined) {
    throw new Problem(
      `${logicalId} reads ${sourceArn}: local AWS maps the streams of the stack's tables, and the stack's queues`,
    );
  }
  return readStreamMapping(mapping, { streamArn: sourceArn, tableName: table.name }, ends.functions);
}
