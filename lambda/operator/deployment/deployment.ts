import type { BodyStore } from '../../core/event-ports.ts';
import type { SigningSecretStore } from '../ports.ts';
import type { OperatorInbox } from './inbox-port.ts';
import type { Inspection } from './inspection-port.ts';
import type { Metrics } from './metrics-port.ts';
import type { OperatorOutbox } from './outbox-port.ts';
import type { OperatorQueue } from './queue-port.ts';

/** The queues that a verb may work on. */
export type QueueName = 'events' | 'eventsDlq' | 'outbox' | 'outboxDlq' | 'deliveries' | 'deliveriesDlq';

/**
 * A deployment, as the verbs reach it. Each part is opened when it is asked for: a verb needs two of them, and
 * the credentials may allow no more.
 */
export interface Deployment {
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly isLocal: boolean;
  inbox(): Promise<OperatorInbox>;
  outbox(): Promise<OperatorOutbox>;
  /** Whether messages are posted to targets, from a queue of their own. */
  readonly hasDeliveries: boolean;
  /** @throws Refusal for a queue that it does not have. */
  queue(name: QueueName): Promise<OperatorQueue>;
  bodies(): Promise<Pick<BodyStore, 'get'>>;
  metrics(): Promise<Metrics>;
  inspection(): Promise<Inspection>;
  secrets(): Promise<SigningSecretStore>;
}
