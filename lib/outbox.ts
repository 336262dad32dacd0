import { Validations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { DispatchFunction } from './dispatch.ts';
import { OutboxQueues } from './outbox-queues.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';
import { SweepFunction } from './sweep.ts';

export interface OutboxProps {
  readonly settings: Settings;
  readonly storage: Storage;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
}

/** The way of a message from its row to its queue: at once by the stream, or a little later by the sweep. */
export class Outbox extends Construct {
  readonly queues: OutboxQueues;
  readonly dispatch: DispatchFunction;
  readonly sweep: SweepFunction;

  constructor(scope: Construct, id: string, props: OutboxProps) {
    super(scope, id);

    this.queues = new OutboxQueues(this, 'Queues', props);
    this.dispatch = new DispatchFunction(this, 'Dispatch', { ...props, queues: this.queues });
    this.sweep = new SweepFunction(this, 'Sweep', { ...props, queues: this.queues });

    Validations.of(this.queues.streamFailures).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'It is itself where failures end: Lambda sends to it what it gave up of the stream, and people read it. ' +
        'The check knows DLQs of queues and functions, not those of event source mappings.',
    });
  }
}
