import { ArnFormat, Aws, Duration, Fn, Stack } from 'aws-cdk-lib';
import { type IQueue, Queue, QueueEncryption, type QueueProps, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { durabilityOf } from './durability.ts';
import type { Settings } from './settings.ts';

/**
 * The longest SQS keeps a message. A DLQ counts from when the message was first sent, so a message is never lost
 * sooner than this after its dispatch.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const RETENTION = Duration.days(14);

/**
 * Receives before a message goes to the DLQ. AWS asks for at least 5, because an invocation that was throttled counts
 * as a receive; more would keep a message that no consumer can read in the way of a FIFO group for longer.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const MAX_RECEIVES = 5;

/**
 * How long a received message is hidden: six times a consumer's 30 s, as AWS advises. Lambda refuses a mapping whose
 * function may run longer than this.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const VISIBILITY = Duration.seconds(6 * 30);

export interface OutboxQueuesProps {
  readonly settings: Settings;
}

/** Where messages go that the outbox owes, and where what went wrong on the way is kept. */
export class OutboxQueues extends Construct {
  readonly outbox: IQueue;
  /** Messages that a consumer received too often. */
  readonly deadLetters: IQueue;
  /** Batches of the stream that Lambda gave up: where they were, not what was in them. */
  readonly streamFailures: IQueue;

  constructor(scope: Construct, id: string, props: OutboxQueuesProps) {
    super(scope, id);
    const { settings } = props;
    const everyQueue = {
      retentionPeriod: RETENTION,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // A message of a queue is nowhere else: its row went when SQS had it.
      removalPolicy: durabilityOf(settings.stage).removalPolicy,
    } satisfies QueueProps;
    // A DLQ is of the kind of its source.
    const kind = settings.outboxFifo ? { fifo: true, contentBasedDeduplication: false } : {};
    const queueName = outboxQueueName(settings);

    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...everyQueue,
      ...kind,
      redriveAllowPolicy: {
        redrivePermission: RedrivePermission.BY_QUEUE,
        sourceQueues: [Queue.fromQueueArn(this, 'Source', arnOf(this, queueName))],
      },
    });
    this.outbox = new Queue(this, 'Queue', {
      ...everyQueue,
      ...kind,
      queueName,
      visibilityTimeout: VISIBILITY,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
    this.streamFailures = new Queue(this, 'StreamFailures', {
      ...everyQueue,
      redriveAllowPolicy: { redrivePermission: RedrivePermission.DENY_ALL },
    });
  }
}

/**
 * The only name that is not CloudFormation's: queue and DLQ have to name each other, which two references cannot. The
 * end of the stack's id is another one for each stack that is ever made, so a queue that outlives its stack is in
 * nobody's way.
 */
function outboxQueueName({ outboxFifo }: Settings): string {
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${Aws.STACK_NAME}-outbox-${stackUuid}${outboxFifo ? '.fifo' : ''}`;
}

const arnOf = (scope: Construct, queueName: string): string =>
  Stack.of(scope).formatArn({ service: 'sqs', resource: queueName, arnFormat: ArnFormat.NO_RESOURCE_NAME });
