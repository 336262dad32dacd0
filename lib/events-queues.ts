import { Duration } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { Bodies } from './bodies.ts';
import { addQueueWithDlq } from './queue-with-dlq.ts';
import type { Settings } from './settings.ts';

/**
 * A mere backstop, for a message that `work` never gets to judge. Attempts are counted on the event's row, where a
 * throttled invocation and a message that found its event running are none; both are receives. A failed attempt waits an
 * hour at most and one receive that ends without an answer hides the message for 1.5 h at most, so that this many take less
 * than a week: the message is in the DLQ long before the queue's 14 days are over, and has half of them left.
 */
const MAX_RECEIVES = 100;

/**
 * A received message is hidden for so many times the work function's timeout: AWS's advice. Lambda refuses a mapping
 * whose function may run longer than its message is hidden.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const VISIBILITY_IN_TIMEOUTS = 6;

export interface EventsQueuesProps {
  readonly settings: Settings;
}

/** Where verified events wait for their next attempt, and where those are kept that were given up. */
export class EventsQueues extends Construct {
  readonly events: IQueue;
  /** Events that were parked, with their raw bytes. */
  readonly deadLetters: IQueue;
  /** Bodies that are too large for a message of either queue. */
  readonly bodies: IBucket;

  constructor(scope: Construct, id: string, props: EventsQueuesProps) {
    super(scope, id);
    const { settings } = props;

    const { queue, deadLetters } = addQueueWithDlq(this, {
      settings,
      name: 'events',
      // Each event waits for itself: its order, if it has one, is in the commit.
      isFifo: false,
      visibility: Duration.seconds(VISIBILITY_IN_TIMEOUTS * settings.workTimeoutSeconds),
      maxReceives: MAX_RECEIVES,
    });
    this.events = queue;
    this.deadLetters = deadLetters;
    this.bodies = new Bodies(this, 'Bodies', { settings }).bucket;
  }
}
