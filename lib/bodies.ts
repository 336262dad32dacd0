import { CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct, type IConstruct } from 'constructs';
import { durabilityOf } from './durability.ts';
import type { Settings } from './settings.ts';

/** The 14 days of the events queue, the 14 of its DLQ, and two to spare: a body outlives the messages that name it, unless somebody puts one back to work at its end. */
const KEPT = Duration.days(30);

/** Parts of an upload that never ended are no body of any event. */
const UNFINISHED_KEPT = Duration.days(1);

export interface BodiesProps {
  readonly settings: Settings;
}

/**
 * The bucket for bodies that are too large for a message: the message has a pointer, the object the raw bytes.
 *
 * CloudFormation deletes no bucket that has objects. Emptying it is left to a person: the function that CDK would
 * deploy for it could delete every object of the bucket at any time.
 */
export class Bodies extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, props: BodiesProps) {
    super(scope, id);

    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: false,
      lifecycleRules: [{ expiration: KEPT, abortIncompleteMultipartUploadAfter: UNFINISHED_KEPT }],
      removalPolicy: durabilityOf(props.settings.stage).removalPolicy,
    });
    this.bucket = bucket;

    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Two functions of this stack alone read and write it, and log what they do by event. Access logs would need a ' +
        'second bucket, which keeps the names of the objects for longer than the objects themselves.',
    });
  }
}

/** Says to the checks why a role or a policy may do something with every object of the bucket. */
export function acknowledgeObjects(policy: IConstruct, bucket: IBucket): void {
  const { defaultChild } = bucket.node;
  if (!CfnElement.isCfnElement(defaultChild)) throw new Error('the bucket is not one of this stack');

  Validations.of(policy).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${Stack.of(bucket).getLogicalId(defaultChild)}.Arn>/*]`,
    reason:
      'An object is named after what is in it, which nobody knows beforehand. The star is within the one bucket of bodies.',
  });
}
