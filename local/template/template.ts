import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../problem.ts';

/** One resource of a CloudFormation template. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly condition: string | undefined;
}

/** A synthesized stack. */
export interface Template {
  readonly stackName: string;
  /** The folder that asset paths are relative to. */
  readonly directory: string;
  readonly resources: ReadonlyMap<string, Resource>;
  /** The values of the outputs by their ids, unresolved. */
  readonly outputs: ReadonlyMap<string, unknown>;
}

/**
 * Reads the one stack of a CDK output folder.
 *
 * @throws Problem when the folder has no stack, or several.
 */
export async function readTemplate(cdkOut: string): Promise<Template> {
  const manifest = await readJson(join(cdkOut, 'manifest.json'));
  const stacks = Object.entries(recordOf(manifest['artifacts']))
    .map(([name, artifact]) => ({ name, artifact: recordOf(artifact) }))
    .filter(({ artifact }) => artifact['type'] === 'aws:cloudformation:stack');
  const [stack, ...others] = stacks;
  if (stack === undefined || others.length > 0) {
    throw new Problem(`local AWS runs one stack, and ${cdkOut} has ${stacks.length}: bin/app.ts must make one`);
  }
  const properties = recordOf(stack.artifact['properties']);
  const body = await readJson(join(cdkOut, String(properties['templateFile'])));
  return parseTemplate(body, { stackName: String(properties['stackName'] ?? stack.name), directory: cdkOut });
}

/** Reads a template from its parsed JSON. */
export function parseTemplate(
  body: Readonly<Record<string, unknown>>,
  place: { readonly stackName: string; readonly directory: string },
): Template {
  const resources = Object.entries(recordOf(body['Resources'])).map(([logicalId, value]): [string, Resource] => {
    const resource = recordOf(value);
    const condition = resource['Condition'];
    return [
      logicalId,
      {
        logicalId,
        type: String(resource['Type']),
        properties: recordOf(resource['Properties']),
        metadata: recordOf(resource['Metadata']),
        condition: typeof condition === 'string' ? condition : undefined,
      },
    ];
  });
  const outputs = Object.entries(recordOf(body['Outputs'])).map(
    ([id, output]) => [id, recordOf(output)['Value']] as const,
  );
  return { ...place, resources: new Map(resources), outputs: new Map(outputs) };
}

async function readJson(path: string): Promise<Readonly<Record<string, unknown>>> {
  return recordOf(JSON.parse(await readFile(path, 'utf8')));
}

/** The value as an object to look into; what is none has no fields. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** The value as a list; what is none has no entries. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
