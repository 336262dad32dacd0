import type { FaultSource } from '../local/faults/fault.ts';
import { entriesOf, valueAt } from './moment.ts';

/** What is sent to the outbox queue, whether or not it takes it. */
export interface SentMessages {
  /** Looks on and does no harm; to be used before any source that does. */
  readonly source: FaultSource;
  /** Bodies by outbox id. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  /** Messages by the function that sent them, repeated and refused ones too. */
  readonly by: ReadonlyMap<string, number>;
}

export function noteSentMessages(): SentMessages {
  const bodies = new Map<string, Set<string>>();
  const by = new Map<string, number>();
  return {
    bodies,
    by,
    source({ functionKey, action, input }) {
      if (action !== 'SendMessageBatch' || (functionKey !== 'dispatch' && functionKey !== 'sweep')) return undefined;
      for (const entry of entriesOf(input)) {
        const id = String(valueAt(valueAt(valueAt(entry, 'MessageAttributes'), 'id'), 'StringValue'));
        bodies.set(id, (bodies.get(id) ?? new Set()).add(String(valueAt(entry, 'MessageBody'))));
        by.set(functionKey, (by.get(functionKey) ?? 0) + 1);
      }
      return undefined;
    },
  };
}
