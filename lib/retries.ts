import { Construct } from 'constructs';
import { EventsQueues } from './events-queues.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';
import { WorkFunction } from './work.ts';

export interface RetriesProps {
  readonly settings: Settings;
  readonly storage: Storage;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
}

/** The way of an event that was verified and not applied at once: it waits, is tried again, and is parked at last. */
export class Retries extends Construct {
  readonly queues: EventsQueues;
  readonly work: WorkFunction;

  constructor(scope: Construct, id: string, props: RetriesProps) {
    super(scope, id);

    this.queues = new EventsQueues(this, 'Queues', props);
    this.work = new WorkFunction(this, 'Work', { ...props, queues: this.queues });
  }
}
