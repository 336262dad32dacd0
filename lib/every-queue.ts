import { Duration } from 'aws-cdk-lib';
import { QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { durabilityOf } from './durability.ts';
import type { Settings } from './settings.ts';

/**
 * The longest SQS keeps a message. Where SQS itself moves one to a DLQ, a standard queue counts on from when it was
 * first sent, so no message is lost sooner than this after that.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/setting-up-dead-letter-queue-retention.html
 */
const RETENTION = Duration.days(14);

/** What all queues have in common. */
export const everyQueue = ({ stage }: Settings) =>
  ({
    retentionPeriod: RETENTION,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    // A message of a queue is nowhere else.
    removalPolicy: durabilityOf(stage).removalPolicy,
  }) satisfies QueueProps;
