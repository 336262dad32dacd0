import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ENV } from '../lambda/contract.ts';
import type { DeliverTo } from './deliver-to.ts';
import { DeliveryQueues } from './delivery-queues.ts';
import { FunctionWithRole } from './function-with-role.ts';
import { deliverGrants } from './grants.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import type { Settings } from './settings.ts';
import type { SigningSecret } from './signing-secret.ts';

/** Beside the request: reading the secret, hiding the message, and a start of the function. */
const ROOM_SECONDS = 15;

const MEMORY_MB = 512;

/** Messages of the outbox queue that one invocation splits: the most without a window to wait in. */
const SPLIT_BATCH_SIZE = 10;

/** One request an invocation, which so has all of its time, and whose failure repeats no other. */
const POST_BATCH_SIZE = 1;

/** At once, so that a backlog leaves concurrency to receive: 100 messages being split, and 50 requests to targets. */
const MAX_SPLITS = 10;
const MAX_POSTS = 50;

export interface DeliveriesProps {
  readonly settings: Settings;
  readonly deliverTo: DeliverTo;
  readonly outbox: OutboxQueues;
  readonly secret: SigningSecret;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
}

/** The consumer of the outbox queue that posts each message to the targets of the settings. */
export class Deliveries extends Construct {
  readonly queues: DeliveryQueues;
  readonly deliver: FunctionWithRole;

  constructor(scope: Construct, id: string, props: DeliveriesProps) {
    super(scope, id);
    const { settings, deliverTo, outbox, secret, bundles } = props;

    const longestRequestMs = Math.max(...deliverTo.targets.map((target) => target.timeout));
    const timeout = Duration.seconds(Math.ceil(longestRequestMs / 1000) + ROOM_SECONDS);
    this.queues = new DeliveryQueues(this, 'Queues', { settings, functionTimeout: timeout });

    this.deliver = new FunctionWithRole(this, 'Deliver', {
      settings,
      bundles,
      bundle: 'deliver',
      description: 'Oncehook: posts messages of the outbox queue to the targets of the settings',
      timeout,
      memoryMb: MEMORY_MB,
      environment: {
        [ENV.deliverTargets]: deliverTo.json,
        [ENV.deliveriesQueueUrl]: this.queues.deliveries.queueUrl,
        [ENV.outboxFifo]: String(settings.outboxFifo),
        [ENV.signingSecretId]: secret.arn,
      },
      grants: deliverGrants(outbox, this.queues, secret),
    });

    new EventSourceMapping(this.deliver, 'Messages', {
      target: this.deliver.lambda,
      eventSourceArn: outbox.outbox.queueArn,
      batchSize: SPLIT_BATCH_SIZE,
      reportBatchItemFailures: true,
      maxConcurrency: MAX_SPLITS,
    });
    new EventSourceMapping(this.deliver, 'Deliveries', {
      target: this.deliver.lambda,
      eventSourceArn: this.queues.deliveries.queueArn,
      batchSize: POST_BATCH_SIZE,
      reportBatchItemFailures: true,
      maxConcurrency: MAX_POSTS,
    });
  }
}
