import { Problem } from '../problem.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import type { Template } from './template.ts';

/** A bucket of the stack, ready to be created. */
export interface BucketSpec {
  readonly logicalId: string;
  readonly name: string;
}

/**
 * Properties that are read elsewhere, or that no caller can notice here: nothing is encrypted, nobody from
 * outside can come, and no object is here long enough to expire.
 */
const WITHOUT_EFFECT = [
  'BucketEncryption',
  'BucketName',
  'LifecycleConfiguration',
  'LoggingConfiguration',
  'OwnershipControls',
  'PublicAccessBlockConfiguration',
  'Tags',
];

/**
 * The buckets of the stack.
 *
 * @throws Problem for a property that is unknown here.
 */
export function readBucketSpecs(template: Template, resolver: Resolver): readonly BucketSpec[] {
  return resourcesOf(template, 'AWS::S3::Bucket').map(({ logicalId, properties }) => {
    const unknown = Object.keys(properties).find((name) => !WITHOUT_EFFECT.includes(name));
    if (unknown !== undefined)
      throw new Problem(`${logicalId} has ${unknown}, which local AWS does not know of a bucket`);
    return { logicalId, name: resolver.text({ Ref: logicalId }, logicalId) };
  });
}
