import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { ENV, OUTBOX } from '../lambda/contract.ts';
import { FunctionWithRole } from './function-with-role.ts';
import { dispatchGrants } from './grants.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

/** Ten sends of ten and a hundred deletes take a few seconds; this leaves room for a slow SQS and its retries. */
const TIMEOUT = Duration.seconds(30);

/** As much as receive has by default: less would make a cold start, and with it the first message, later. */
const MEMORY_MB = 512;

/**
 * Records of one invocation: ten full batches of SQS, enough for a burst. More would be repeated, and each repeat is
 * a second message, when one of them fails.
 */
const BATCH_SIZE = 100;

/** A batch that fails so often in a row is no hiccup: the shard should go on, and the sweep sends what is in it. */
const RETRY_ATTEMPTS = 5;

/**
 * A record so old has long been the sweep's. A quarter of the 24 h that
 * DynamoDB keeps a record: Lambda, not the stream's end, decides what is given up, and says so.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
const MAX_RECORD_AGE = Duration.hours(6);

export interface DispatchFunctionProps {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly queues: OutboxQueues;
  readonly bundles: string;
}

/**
 * The function that sends what the outbox owes as soon as the stream tells of it. The stream is a doorbell: whatever it
 * loses, gives up or repeats, the rows say what is owed, and the sweep reads them.
 */
export class DispatchFunction extends FunctionWithRole {
  constructor(scope: Construct, id: string, props: DispatchFunctionProps) {
    const { settings, storage, queues, bundles } = props;
    super(scope, id, {
      settings,
      bundles,
      bundle: 'dispatch',
      description: 'Oncehook: sends new messages of the outbox to its queue',
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: {
        [ENV.outboxTable]: storage.outbox.tableName,
        [ENV.outboxQueueUrl]: queues.outbox.queueUrl,
        [ENV.outboxFifo]: String(settings.outboxFifo),
      },
      grants: dispatchGrants(storage, queues),
    });

    new EventSourceMapping(this, 'Stream', {
      target: this.lambda,
      eventSourceArn: storage.outboxStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      // What a commit wrote, and nothing that dispatch or sweep did to it: those would come back as records for ever.
      filters: [
        FilterCriteria.filter({
          dynamodb: { NewImage: { [OUTBOX.stateAttribute]: { S: [OUTBOX.newState] } } },
          eventName: ['INSERT'],
        }),
      ],
      batchSize: BATCH_SIZE,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: RETRY_ATTEMPTS,
      maxRecordAge: MAX_RECORD_AGE,
      // CDK's own destination would grant more than to send.
      onFailure: { bind: () => ({ destination: queues.streamFailures.queueArn }) },
    });
  }
}
