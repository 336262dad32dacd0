import { ENV, userTableVariable } from '../lambda/contract.ts';
import type { EventsQueues } from './events-queues.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

const SECONDS_PER_DAY = 86_400;

/** What a function needs to apply something once: the inbox, how long it remembers, and your tables. */
export function inboxEnvironment({ dedupWindowDays }: Settings, storage: Storage): Record<string, string> {
  const yours = storage.userTables.map(({ key, table }) => [userTableVariable(key), table.tableName] as const);

  return {
    [ENV.inboxTable]: storage.inbox.tableName,
    [ENV.dedupWindowSeconds]: dedupWindowDays === 'forever' ? 'forever' : String(dedupWindowDays * SECONDS_PER_DAY),
    ...Object.fromEntries(yours),
  };
}

/** What a function needs to apply an event once, and to put it back or give it up when that failed. */
export function eventEnvironment(settings: Settings, storage: Storage, queues: EventsQueues): Record<string, string> {
  return {
    ...inboxEnvironment(settings, storage),
    [ENV.outboxTable]: storage.outbox.tableName,
    [ENV.sequencesTable]: storage.sequences.tableName,
    [ENV.maxAttempts]: String(settings.maxAttempts),
    [ENV.retryAfterSeconds]: String(settings.retryAfterSeconds),
    [ENV.eventsQueueUrl]: queues.events.queueUrl,
    [ENV.eventsDlqUrl]: queues.deadLetters.queueUrl,
    [ENV.bodiesBucket]: queues.bodies.bucketName,
  };
}
