/**
 * What befalls the calls of those who work on events, receive and work, in a proof run: the planned crashes, zombies
 * and refusals, and at random everything else that a network and a busy service do.
 */
import { inboxKey } from '../lambda/core/inbox-key.ts';
import type { Call, Fault, FaultSource } from '../local/faults/fault.ts';
import type { Chance } from './chance.ts';
import type { CrashRow } from './crash-rows.ts';
import { keyOf, type Moment, momentOf } from './moment.ts';
import type { PlannedEvent } from './plan.ts';
import { randomFault } from './random-fault.ts';

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
  'after a failure, before queueing': { at: 'queue', fault: { kind: 'kill-before' } },
  'queued, before the release': { at: 'release', fault: { kind: 'kill-before' } },
  'released, before the response': { at: 'release', fault: { kind: 'kill-after' } },
};

export interface Misfortune {
  readonly source: FaultSource;
  /** Kills by crash row; the runtime adds those before the response. */
  readonly crashes: Map<CrashRow, number>;
  readonly zombies: () => number;
  /** Sendings of an event that the events queue has refused as planned. */
  readonly refusals: () => number;
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
  /** Invocations in which a step was recorded: whoever queues there holds the claim. */
  const withStep = new Set<string>();
  let zombies = 0;
  let refusals = 0;

  const crash = (row: CrashRow, key: string): void => {
    done.add(key);
    crashes.set(row, (crashes.get(row) ?? 0) + 1);
  };
  const countOf = (about: string): number => {
    const nth = (seen.get(about) ?? 0) + 1;
    seen.set(about, nth);
    return nth;
  };

  function crashFault(row: Exclude<CrashRow, 'before the response'>, key: string, call: Call): Fault | undefined {
    const moment = momentOf(call);
    if (moment === 'step') withStep.add(`${call.invocationId}`);
    const { at, fault } = CRASHES[row];
    if (moment !== at || (at === 'queue' && !withStep.has(`${call.invocationId}`))) return undefined;
    crash(row, key);
    return fault;
  }

  function zombieFault(key: string, { input }: Call): Fault | undefined {
    const token = String(input['ClientRequestToken']);
    if (!held.has(key)) zombies += 1;
    // Every sending of the first commit is held: one that arrived would end the event for all of them.
    const first = held.get(key) ?? token;
    held.set(key, first);
    return first === token ? { kind: 'delay-before', wait: heldMs } : undefined;
  }

  return {
    crashes,
    zombies: () => zombies,
    refusals: () => refusals,
    killsBeforeResponse(eventId) {
      const event = events.find(({ id }) => id === eventId);
      const key = event === undefined ? '' : inboxKey(event.source, event.id);
      if (event?.crash !== 'before the response' || done.has(key)) return false;
      crash('before the response', key);
      return true;
    },
    source(call) {
      if (call.functionKey !== 'receive' && call.functionKey !== 'work') return undefined;
      const key = keyOf(call);
      const event = key === undefined ? undefined : planned.get(key);
      if (key === undefined || event === undefined) return undefined;
      const moment = momentOf(call);

      if (event.zombie) return moment === 'commit' ? zombieFault(key, call) : undefined;
      if (event.crash !== undefined) {
        return event.crash === 'before the response' || done.has(key) ? undefined : crashFault(event.crash, key, call);
      }
      const nth = countOf(`${key} ${moment}`);
      if (moment === 'queue' && nth <= event.refusals) {
        refusals += 1;
        return call.action === 'SendMessageBatch' && nth % 2 === 1
          ? { kind: 'partial', failed: [0] }
          : { kind: 'refuse', code: 'ServiceUnavailable' };
      }
      return randomFault(call.service === 'sqs' ? 'sqs' : 'dynamodb', chance, key, moment, nth);
    },
  };
}
