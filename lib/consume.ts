import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { ENV } from '../lambda/contract.ts';
import { inboxEnvironment } from './environment.ts';
import { FunctionWithRole } from './function-with-role.ts';
import { consumeGrants } from './grants.ts';
import { CONSUMER_TIMEOUT, type OutboxQueues } from './outbox-queues.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

/** As much as receive has by default: it runs a handler of the same kind. */
const MEMORY_MB = 512;

/**
 * Every receive counts towards the queue's limit. Messages behind a slow one, one that fails in a FIFO group, or one that
 * kills its process would use up theirs unseen, and be in the DLQ without a single attempt.
 */
const BATCH_SIZE = 1;

/**
 * Messages under way at once. A backlog of messages must not use up the account's concurrency, of
 * which receive has to have some whenever a webhook comes.
 */
const MAX_CONCURRENCY = 50;

export interface ConsumeFunctionProps {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly queues: OutboxQueues;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
}

/** The function of the consumer that `lambda/handlers/consumer.ts` exports: it applies each message once. */
export class ConsumeFunction extends FunctionWithRole {
  constructor(scope: Construct, id: string, props: ConsumeFunctionProps) {
    const { settings, storage, queues, bundles } = props;
    super(scope, id, {
      settings,
      bundles,
      bundle: 'consume',
      description: 'Oncehook: applies each message of the outbox queue once',
      timeout: CONSUMER_TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: {
        ...inboxEnvironment(settings, storage),
        [ENV.outboxQueueUrl]: queues.outbox.queueUrl,
        [ENV.outboxDlqUrl]: queues.deadLetters.queueUrl,
        [ENV.outboxFifo]: String(settings.outboxFifo),
      },
      grants: consumeGrants(storage, queues),
    });

    new EventSourceMapping(this, 'Messages', {
      target: this.lambda,
      eventSourceArn: queues.outbox.queueArn,
      batchSize: BATCH_SIZE,
      reportBatchItemFailures: true,
      maxConcurrency: MAX_CONCURRENCY,
    });
  }
}
