import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { acknowledgeObjects } from './bodies.ts';
import { eventEnvironment } from './environment.ts';
import type { EventsQueues } from './events-queues.ts';
import { FunctionWithRole } from './function-with-role.ts';
import { workGrants } from './grants.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

/**
 * One event an invocation: an attempt has the whole time, and a handler that takes its process down takes no other
 * event along. With one there is no window to wait in for more.
 */
const BATCH_SIZE = 1;

export interface WorkFunctionProps {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly queues: EventsQueues;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
}

/** The function that applies events of the events queue. They were verified before they were queued. */
export class WorkFunction extends FunctionWithRole {
  constructor(scope: Construct, id: string, props: WorkFunctionProps) {
    const { settings, storage, queues, bundles } = props;
    super(scope, id, {
      settings,
      bundles,
      bundle: 'work',
      description: 'Oncehook: applies queued events once, and tries again those that failed',
      timeout: Duration.seconds(settings.workTimeoutSeconds),
      memoryMb: settings.workMemoryMb,
      environment: eventEnvironment(settings, storage, queues),
      grants: workGrants(storage, queues),
    });
    acknowledgeObjects(this.role, queues.bodies);

    new EventSourceMapping(this, 'Events', {
      target: this.lambda,
      eventSourceArn: queues.events.queueArn,
      batchSize: BATCH_SIZE,
      // A message that is to stay is named in the answer. An error would keep it too, and count as one of the function.
      reportBatchItemFailures: true,
      // In place of reserved concurrency, which the quota of a new account does not allow.
      maxConcurrency: settings.workConcurrency,
    });
  }
}
