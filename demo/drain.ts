import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalAws } from '../local/local-aws.ts';
import type { Clients } from './clients.ts';

/** What is still on its way. */
export interface Backlog {
  /** Messages of the events queue, hidden and delayed ones too. */
  readonly events: number;
  /** Rows of the outbox. */
  readonly owed: number;
  /** Messages of the outbox queue, hidden ones too. */
  readonly outbox: number;
}

const LOOK_EVERY_MS = 250;

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** @returns whether nothing is on its way any more; `false` when `limitMs` was not enough. */
export async function drain(
  aws: LocalAws,
  clients: Clients,
  { limitMs, signal, onLook }: { limitMs: number; signal: AbortSignal; onLook?: (backlog: Backlog) => void },
): Promise<boolean> {
  const giveUpAt = Date.now() + limitMs;
  while (!signal.aborted && Date.now() < giveUpAt) {
    const backlog = await lookAt(aws, clients);
    onLook?.(backlog);
    if (isEmpty(backlog)) {
      // Commits that were held back still arrive, and may leave something.
      await aws.gateway.settled();
      if (isEmpty(await lookAt(aws, clients))) return true;
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

const isEmpty = ({ events, owed, outbox }: Backlog): boolean => events + owed + outbox === 0;

/** In the direction in which everything goes, so that nothing slips past. */
async function lookAt({ queues, tables }: LocalAws, { dynamodb, sqs }: Clients): Promise<Backlog> {
  const count = async (queue: string | undefined): Promise<number> => {
    const { Attributes: attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: [...COUNTS] }),
    );
    return COUNTS.reduce((sum, name) => sum + Number(attributes[name] ?? 0), 0);
  };
  const events = await count(queues['events']);
  const { Count: owed = 0 } = await dynamodb.send(
    new ScanCommand({ TableName: tables['outbox'], ConsistentRead: true, Select: 'COUNT' }),
  );
  return { events, owed, outbox: await count(queues['outbox']) };
}
