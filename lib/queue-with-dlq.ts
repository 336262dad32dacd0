import { ArnFormat, Aws, type Duration, Fn, Stack } from 'aws-cdk-lib';
import { type IQueue, Queue, type QueueProps, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { everyQueue } from './every-queue.ts';
import type { Settings } from './settings.ts';

export interface QueueWithDlqProps {
  readonly settings: Settings;
  /** What the queue is for: the middle of its name. */
  readonly name: string;
  readonly isFifo: boolean;
  /** How long a received message is hidden. */
  readonly visibility: Duration;
  /** Receives before SQS itself moves a message to the DLQ. */
  readonly maxReceives: number;
}

export interface QueueWithDlq {
  readonly queue: IQueue;
  readonly deadLetters: IQueue;
}

/** A queue and its DLQ, which no other queue may take for its own. They become `Queue` and `DeadLetters` of `scope`. */
export function addQueueWithDlq(scope: Construct, props: QueueWithDlqProps): QueueWithDlq {
  const { settings, name, isFifo, visibility, maxReceives } = props;
  const bothQueues = {
    ...everyQueue(settings),
    // A DLQ is of the kind of its source.
    ...(isFifo ? { fifo: true, contentBasedDeduplication: false } : {}),
  } satisfies QueueProps;
  const queueName = queueNameOf(name, isFifo);

  const deadLetters = new Queue(scope, 'DeadLetters', {
    ...bothQueues,
    redriveAllowPolicy: {
      redrivePermission: RedrivePermission.BY_QUEUE,
      sourceQueues: [Queue.fromQueueArn(scope, 'Source', arnOf(scope, queueName))],
    },
  });
  const queue = new Queue(scope, 'Queue', {
    ...bothQueues,
    queueName,
    visibilityTimeout: visibility,
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
  });

  return { queue, deadLetters };
}

/**
 * Names that are not CloudFormation's: queue and DLQ have to name each other, which two references cannot. The
 * end of the stack's id is another one for each stack that is ever made, so a queue that outlives its stack is in
 * nobody's way.
 */
function queueNameOf(name: string, isFifo: boolean): string {
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${Aws.STACK_NAME}-${name}-${stackUuid}${isFifo ? '.fifo' : ''}`;
}

const arnOf = (scope: Construct, queueName: string): string =>
  Stack.of(scope).formatArn({ service: 'sqs', resource: queueName, arnFormat: ArnFormat.NO_RESOURCE_NAME });
