/**
 * What befalls an outbox message in a proof run on its way from its row to its consumer. Which messages share a batch
 * differs from run to run, so dispatch and sweep meet their faults by the number of the call, and only the consumer by
 * the message.
 */
import { OUTBOX_SOURCE } from '../lambda/consume/read-message.ts';
import { inboxKey, outboxId } from '../lambda/core/inbox-key.ts';
import type { Call, Fault, FaultSource } from '../local/faults/fault.ts';
import type { MappingMoment } from '../local/mappings/mapping-faults.ts';
import type { Chance } from './chance.ts';
import { createDeck } from './deck.ts';
import { entriesOf, keyOf, momentOf } from './moment.ts';
import type { PlannedEvent } from './plan.ts';
import { randomFault } from './random-fault.ts';

export interface OutboxMisfortune {
  readonly source: FaultSource;
  /** Whether a moment of a mapping goes wrong. */
  readonly troubles: (moment: MappingMoment) => boolean;
}

type SendCard = 'kill-before' | 'kill-after' | 'partial' | 'unanswered' | 'refuse' | 'drop-answer' | 'none';
const SENDS: readonly SendCard[] = [
  'kill-before',
  'kill-after',
  'partial',
  'partial',
  'unanswered',
  'refuse',
  'drop-answer',
  ...Array.from({ length: 13 }, () => 'none' as const),
];

type RemoveCard = 'kill-before' | 'throttle' | 'drop-answer' | 'none';
const REMOVES: readonly RemoveCard[] = [
  'kill-before',
  'throttle',
  'drop-answer',
  ...Array.from({ length: 57 }, () => 'none' as const),
];

/** One event in so many has a consumer that is killed, before or after its commit. */
const CONSUMER_KILLED_EVERY = 25;

const REPEATED_BATCHES = 0.1;
const FAILED_READS = 0.02;
const FAILED_DELETES = 0.1;
/** What is not deleted comes again when its time is over; late in the run everything else would wait for it. */
const DELETES_THAT_MAY_FAIL = 100;

export function createOutboxMisfortune(events: readonly PlannedEvent[], chance: Chance): OutboxMisfortune {
  const nextSend = createDeck(chance, 'sends', SENDS);
  const nextRemove = createDeck(chance, 'removes', REMOVES);
  const messages = events.map(({ source, id }) => inboxKey(OUTBOX_SOURCE, outboxId(inboxKey(source, id), 1)));
  const killed = new Map(
    chance
      .shuffle(messages, 'consumers')
      .slice(0, Math.ceil(messages.length / CONSUMER_KILLED_EVERY))
      .map((key, n): [string, Fault] => [key, { kind: n % 2 === 0 ? 'kill-after' : 'kill-before' }]),
  );
  const met = new Set<string>();

  function sendFault({ input }: Call): Fault | undefined {
    const last = entriesOf(input).length - 1;
    const card = nextSend() ?? 'none';
    switch (card) {
      case 'none':
        return undefined;
      case 'partial':
        return { kind: 'partial', failed: last === 0 ? [0] : [0, last] };
      case 'unanswered':
        return { kind: 'partial', failed: [], unanswered: [last] };
      case 'refuse':
        return { kind: 'refuse', code: 'ServiceUnavailable' };
      default:
        return { kind: card };
    }
  }

  function removeFault(): Fault | undefined {
    const card = nextRemove() ?? 'none';
    return card === 'none' ? undefined : { kind: card };
  }

  /** At most one fault a message, because every receive counts and the queue gives it five. */
  function consumeFault(call: Call): Fault | undefined {
    const key = keyOf(call);
    const moment = momentOf(call);
    if (key === undefined || met.has(key)) return undefined;
    const fault = killed.has(key)
      ? moment === 'commit'
        ? killed.get(key)
        : undefined
      : randomFault('dynamodb', chance, key, moment);
    if (fault !== undefined) met.add(key);
    return fault;
  }

  return {
    troubles: ({ kind, functionKey, n }) => {
      const share = { 'read-fails': FAILED_READS, 'batch-repeats': REPEATED_BATCHES, 'delete-fails': FAILED_DELETES };
      const isMeant =
        kind === 'delete-fails' ? n <= DELETES_THAT_MAY_FAIL : kind === 'read-fails' || functionKey !== 'work';
      return isMeant && chance.of('mapping', functionKey, kind, n) < share[kind];
    },
    source(call) {
      const { functionKey, action } = call;
      if (functionKey === 'consume') return consumeFault(call);
      if (functionKey !== 'dispatch' && functionKey !== 'sweep') return undefined;
      if (action === 'DeleteItem') return removeFault();
      return action === 'SendMessageBatch' ? sendFault(call) : undefined;
    },
  };
}
