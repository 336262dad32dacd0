/**
 * What strikes local AWS in a round of the soak: functions are killed, pollers stop with their batches in hand, and
 * DynamoDB ends and comes back. The queues stay up, as SQS does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assertNever } from '../lambda/core/assert-never.ts';
import type { LocalAws } from '../local/local-aws.ts';
import type { Chance } from './chance.ts';

export type Blow =
  | { readonly kind: 'kill'; readonly functionKey: string }
  | { readonly kind: 'poller'; readonly functionKey: string }
  | { readonly kind: 'dynamodb' };

/** Each once a round, in an order of the seed's. */
const BLOWS: readonly Blow[] = [
  { kind: 'kill', functionKey: 'receive' },
  { kind: 'kill', functionKey: 'work' },
  { kind: 'kill', functionKey: 'dispatch' },
  { kind: 'kill', functionKey: 'consume' },
  { kind: 'poller', functionKey: 'work' },
  { kind: 'poller', functionKey: 'dispatch' },
  { kind: 'poller', functionKey: 'consume' },
  { kind: 'dynamodb' },
];

/** Milliseconds of the beginning of a blow after the one before, and of a poller's absence. */
const LONGEST_LULL_MS = 250;
const LONGEST_ABSENCE_MS = 600;

export interface PlannedBlow {
  readonly blow: Blow;
  readonly afterMs: number;
  /** How long a poller stands still. */
  readonly forMs: number;
}

export const planBlows = (chance: Chance): readonly PlannedBlow[] =>
  chance.shuffle(BLOWS, 'blows').map((blow, n) => ({
    blow,
    afterMs: chance.between(0, LONGEST_LULL_MS, 'lull', n),
    forMs: chance.between(0, LONGEST_ABSENCE_MS, 'absence', n),
  }));

/** Resolves when what was ended is there again. */
export async function strike(aws: LocalAws, { blow, afterMs, forMs }: PlannedBlow): Promise<void> {
  await sleep(afterMs);
  switch (blow.kind) {
    case 'kill':
      await aws.killInstances(blow.functionKey);
      return;
    case 'poller': {
      const paused = aws.mappings.pause(blow.functionKey);
      await aws.killInstances(blow.functionKey);
      await paused;
      await sleep(forMs);
      aws.mappings.resume(blow.functionKey);
      return;
    }
    case 'dynamodb': {
      // What is received during an outage is put off for seconds or minutes, so it is only what is in hand and, for
      // work, what comes at once.
      const restarted = aws.restartDynamoDb();
      const consumePaused = aws.mappings.pause('consume');
      await sleep(forMs);
      await Promise.all([restarted, consumePaused, aws.mappings.pause('work')]);
      aws.mappings.resume('consume');
      aws.mappings.resume('work');
      return;
    }
    default:
      return assertNever(blow);
  }
}
