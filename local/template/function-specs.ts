import { basename, resolve } from 'node:path';
import type { FunctionSpec } from '../functions/function-spec.ts';
import { Problem } from '../problem.ts';
import { type Place, physicalAttribute, physicalId } from './physical-names.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import { type Resource, recordOf, type Template } from './template.ts';

const RUNTIME = 'nodejs24.x';

/** CloudFormation's defaults: 3 s and 128 MB. */
const DEFAULT_TIMEOUT_SECONDS = 3;
const DEFAULT_MEMORY_MB = 128;

/**
 * The functions of the stack.
 *
 * @throws Problem for a function that is not plain Node.js code from a folder.
 */
export function readFunctionSpecs(template: Template, resolver: Resolver, place: Place): readonly FunctionSpec[] {
  return resourcesOf(template, 'AWS::Lambda::Function').map((resource) => {
    const { logicalId, properties } = resource;
    const runtime = properties['Runtime'];
    if (runtime !== RUNTIME) throw new Problem(`${logicalId} has the runtime ${runtime}: local AWS runs ${RUNTIME}`);
    const codeDirectory = resolve(template.directory, assetPathOf(resource));
    const name = physicalId(template, resource, place);
    const logging = recordOf(properties['LoggingConfig']);
    const logGroup = logging['LogGroup'];
    const logLevel = logging['ApplicationLogLevel'];
    return {
      logicalId,
      key: basename(codeDirectory),
      name,
      arn: physicalAttribute(template, resource, 'Arn', place),
      codeDirectory,
      handler: resolver.text(properties['Handler'], `${logicalId}.Handler`),
      timeoutMs: Number(properties['Timeout'] ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      memoryMb: Number(properties['MemorySize'] ?? DEFAULT_MEMORY_MB),
      logGroup: logGroup === undefined ? `/aws/lambda/${name}` : resolver.text(logGroup, `${logicalId}.LogGroup`),
      logFormat: logging['LogFormat'] === 'JSON' ? 'JSON' : 'Text',
      logLevel: typeof logLevel === 'string' ? logLevel : undefined,
      environment: readVariables(resource, resolver),
    };
  });
}

function readVariables({ logicalId, properties }: Resource, resolver: Resolver): Readonly<Record<string, string>> {
  const variables = Object.entries(recordOf(recordOf(properties['Environment'])['Variables']));
  return Object.fromEntries(variables.map(([name, value]) => [name, resolver.text(value, `${logicalId}.${name}`)]));
}

function assetPathOf({ logicalId, metadata }: Resource): string {
  const path = metadata['aws:asset:path'];
  if (typeof path === 'string') return path;
  throw new Problem(`${logicalId} does not say where its code is: make it with lambda.Code.fromAsset`);
}
