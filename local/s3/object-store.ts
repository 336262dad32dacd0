import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Credentials } from '../local-aws.ts';
import type { BucketSpec } from '../template/bucket-specs.ts';
import type { Place } from '../template/physical-names.ts';

/** Where the buckets of the stack are. Their objects are in memory, and gone at the end. */
export interface ObjectStore {
  readonly url: string;
  /** Creates the buckets that are not there yet; those that are keep their objects. */
  createBuckets(buckets: readonly BucketSpec[]): Promise<void>;
  close(): void;
}

/** @param url of a server that speaks S3 */
export function openObjectStore(url: string, place: Place, credentials: Credentials): ObjectStore {
  // A copy of the credentials, because the client adds a field to those it is given.
  const client = new S3Client({ endpoint: url, region: place.region, credentials: { ...credentials } });
  const known = new Set<string>();

  return {
    url,
    async createBuckets(buckets) {
      for (const { name } of buckets) {
        if (known.has(name)) continue;
        await client.send(new CreateBucketCommand({ Bucket: name }));
        known.add(name);
      }
    },
    close: () => client.destroy(),
  };
}
