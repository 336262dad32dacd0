import { Duration } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { addQueueWithDlq } from './queue-with-dlq.ts';
import type { Settings } from './settings.ts';

/**
 * Attempts at a target before a message goes to the DLQ: about a day of them. The waits between two are random up to a
 * limit, which doubles from 10 s to an hour in 9 attempts; half of all limits is 24 h. With the worst luck and a target
 * that asks for time whenever it is heard, it takes less than a week, half of the queue's 14 days.
 */
const MAX_RECEIVES = 57;

/** AWS's advice for a queue that a function reads. */
const VISIBILITY_IN_TIMEOUTS = 6;

export interface DeliveryQueuesProps {
  readonly settings: Settings;
  /** Of the function that reads the queue. */
  readonly functionTimeout: Duration;
}

/** Where messages wait for their target, one message a target, and where those are kept that were given up. */
export class DeliveryQueues extends Construct {
  readonly deliveries: IQueue;
  readonly deadLetters: IQueue;

  constructor(scope: Construct, id: string, props: DeliveryQueuesProps) {
    super(scope, id);
    const { settings, functionTimeout } = props;

    const { queue, deadLetters } = addQueueWithDlq(this, {
      settings,
      name: 'deliveries',
      // What has an order in the outbox queue keeps it at each target.
      isFifo: settings.outboxFifo,
      visibility: Duration.seconds(VISIBILITY_IN_TIMEOUTS * functionTimeout.toSeconds()),
      maxReceives: MAX_RECEIVES,
    });
    this.deliveries = queue;
    this.deadLetters = deadLetters;
  }
}
