/**
 * What befalls the calls of the functions in a proof run: the planned crashes, the planned zombies, and
 * at random everything else that a network and a busy table do.
 */

import { inboxKey } from '../lambda/core/inbox-key.ts';
import type { Call, Fault, FaultSource } from '../local/faults/fault.ts';
import type { Chance } from './chance.ts';
import type { CrashRow } from './crash-rows.ts';
import type { PlannedEvent } from './plan.ts';

/** Where in an attempt a call stands. */
type Moment = 'claim' | 'take-over' | 'step' | 'commit' | 'release' | 'read' | 'other';

interface Crash {
  readonly at: Moment;
  readonly fault: Fault;
}

/** `before the response` is no call: {@link createMisfortune} leaves it to the runtime. */
const CRASHES: Readonly<Record<Exclude<CrashRow, 'before the response'>, Crash>> = {
  'before the claim': { at: 'claim', fault: { kind: 'kill-before' } },
  'claimed, the answer lost': { at: 'claim', fault: { kind: 'kill-after' } },
  'in the handler, step not recorded': { at: 'step', fault: { kind: 'kill-before' } },
  'in the handler, step recorded': { at: 'step', fault: { kind: 'kill-after' } },
  'before the transaction': { at: 'commit', fault: { kind: 'kill-before' } },
  'transaction applied, the answer lost': { at: 'commit', fault: { kind: 'kill-after' } },
  'after a failure, before the release': { at: 'release', fault: { kind: 'kill-before' } },
  'released, before the response': { at: 'release', fault: { kind: 'kill-after' } },
};

/** Share of the calls of an event without a planned fate that meet each fault. */
const RANDOM: readonly { readonly share: number; readonly fault: (chance: number) => Fault }[] = [
  { share: 0.03, fault: () => ({ kind: 'drop-answer' }) },
  { share: 0.02, fault: () => ({ kind: 'cut' }) },
  { share: 0.03, fault: () => ({ kind: 'throttle' }) },
  { share: 0.04, fault: () => ({ kind: 'conflict' }) },
  { share: 0.02, fault: () => ({ kind: 'refuse', code: 'InternalServerError' }) },
  { share: 0.04, fault: (chance) => ({ kind: 'delay-before', wait: 20 + Math.floor(chance * 180) }) },
  { share: 0.03, fault: (chance) => ({ kind: 'delay-after', wait: 20 + Math.floor(chance * 180) }) },
];

export interface Misfortune {
  readonly source: FaultSource;
  /** Kills by crash row; the runtime adds those before the response. */
  readonly crashes: Map<CrashRow, number>;
  readonly zombies: () => number;
  /** Whether the instance that answers `processed` for this event now is to be killed first. */
  killsBeforeResponse(eventId: string): boolean;
}

/** @param heldMs How long a zombie's commit is held back: longer than its lease and the next worker's commit. */
export function createMisfortune(events: readonly PlannedEvent[], chance: Chance, heldMs: number): Misfortune {
  const planned = new Map(events.map((event) => [inboxKey(event.source, event.id), event]));
  const crashes = new Map<CrashRow, number>();
  const done = new Set<string>();
  const seen = new Map<string, number>();
  /** The client token of each zombie's first commit. */
  const held = new Map<string, string>();
  let zombies = 0;

  const crash = (row: CrashRow, key: string): void => {
    done.add(key);
    crashes.set(row, (crashes.get(row) ?? 0) + 1);
  };

  return {
    crashes,
    zombies: () => zombies,
    killsBeforeResponse(eventId) {
      const event = events.find(({ id }) => id === eventId);
      const key = event === undefined ? '' : inboxKey(event.source, event.id);
      if (event?.crash !== 'before the response' || done.has(key)) return false;
      crash('before the response', key);
      return true;
    },
    source(call) {
      const key = keyOf(call);
      const event = key === undefined ? undefined : planned.get(key);
      if (key === undefined || event === undefined) return undefined;
      const moment = momentOf(call);

      if (event.zombie && moment === 'commit') {
        const token = String(call.input['ClientRequestToken']);
        if (!held.has(key)) zombies += 1;
        // Every sending of the first commit is held: one that arrived would end the event for all of them.
        const first = held.get(key) ?? token;
        held.set(key, first);
        return first === token ? { kind: 'delay-before', wait: heldMs } : undefined;
      }
      if (event.crash !== undefined && event.crash !== 'before the response' && !done.has(key)) {
        const { at, fault } = CRASHES[event.crash];
        if (moment !== at) return undefined;
        crash(event.crash, key);
        return fault;
      }
      if (event.zombie || event.crash !== undefined) return undefined;
      const nth = (seen.get(`${key} ${moment}`) ?? 0) + 1;
      seen.set(`${key} ${moment}`, nth);
      return randomFault(chance, key, moment, nth);
    },
  };
}

function randomFault(chance: Chance, key: string, moment: Moment, nth: number): Fault | undefined {
  let place = chance.of('fault', key, moment, nth);
  for (const { share, fault } of RANDOM) {
    if (place < share) return fault(place / share);
    place -= share;
  }
  return undefined;
}

function momentOf({ action, input }: Call): Moment {
  const update = String(input['UpdateExpression'] ?? '');
  switch (action) {
    case 'PutItem':
      return 'claim';
    case 'TransactWriteItems':
      return 'commit';
    case 'GetItem':
      return 'read';
    case 'UpdateItem':
      if (update.includes('steps.#step')) return 'step';
      if (update.includes('lastError = :error')) return 'release';
      return update.includes('leaseUntilMs = :lease') ? 'take-over' : 'other';
    default:
      return 'other';
  }
}

/** The inbox key of a call: the row it writes or reads, or the first item of its transaction. */
function keyOf({ input }: Call): string | undefined {
  const transaction = input['TransactItems'];
  const first = Array.isArray(transaction) ? valueAt(transaction[0], 'Update') : input;
  const id = valueAt(valueAt(first, 'Key') ?? valueAt(first, 'Item'), 'id');
  const text = valueAt(id, 'S');
  return typeof text === 'string' ? text : undefined;
}

const valueAt = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined;
