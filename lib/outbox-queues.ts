import { Duration } from 'aws-cdk-lib';
import { type IQueue, Queue, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { everyQueue } from './every-queue.ts';
import { addQueueWithDlq } from './queue-with-dlq.ts';
import type { Settings } from './settings.ts';

/**
 * Receives before a message goes to the DLQ. AWS asks for at least 5, because an invocation that was throttled counts
 * as a receive; more would keep a message that no consumer can read in the way of a FIFO group for longer.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const MAX_RECEIVES = 5;

/** How long a consumer of the outbox queue may run: the stack's own, and, as far as the queue goes, one of yours. */
export const CONSUMER_TIMEOUT = Duration.seconds(30);

/**
 * How long a received message is hidden: six times what a consumer may take, as AWS advises. Lambda refuses a mapping
 * whose function may run longer than this.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const VISIBILITY = Duration.seconds(6 * CONSUMER_TIMEOUT.toSeconds());

export interface OutboxQueuesProps {
  readonly settings: Settings;
}

/** Where messages go that the outbox owes, and where what went wrong on the way is kept. */
export class OutboxQueues extends Construct {
  readonly outbox: IQueue;
  /** Messages that a consumer gave up, or received too often. */
  readonly deadLetters: IQueue;
  /** Batches of the stream that Lambda gave up: where they were, not what was in them. */
  readonly streamFailures: IQueue;

  constructor(scope: Construct, id: string, props: OutboxQueuesProps) {
    super(scope, id);
    const { settings } = props;

    const { queue, deadLetters } = addQueueWithDlq(this, {
      settings,
      name: 'outbox',
      isFifo: settings.outboxFifo,
      visibility: VISIBILITY,
      maxReceives: MAX_RECEIVES,
    });
    this.outbox = queue;
    this.deadLetters = deadLetters;
    this.streamFailures = new Queue(this, 'StreamFailures', {
      ...everyQueue(settings),
      redriveAllowPolicy: { redrivePermission: RedrivePermission.DENY_ALL },
    });
  }
}
