import type { Source } from './declarations.ts';

/**
 * Whether a sequence is likely a time in whole seconds: it reads last what has the name of the field in which the
 * provider writes its times, and the provider writes them in seconds. A sequence that does not let itself be watched
 * is taken for a good one.
 *
 * @param sequence the function of an `order` rule
 */
export function hasWholeSeconds(sequence: (event: never) => unknown, { eventTime }: Source['provider']): boolean {
  if (eventTime?.unit !== 's') return false;
  const read = lastNameReadBy(sequence);
  if (read === undefined) return false;

  // `occurredAt` is that field, in another spelling.
  return read === 'occurredAt' || ('json' in eventTime.from && read === eventTime.from.json.at(-1));
}

/** What a function of an event reads last of it; `undefined` when it reads nothing, or does not run without a real one. */
function lastNameReadBy(read: (event: never) => unknown): string | undefined {
  let last: string | undefined;
  const event: object = new Proxy(() => event, {
    get: (_target, name) => {
      // Arithmetic and `Number(…)` ask for this; the name before it is the one that counts.
      if (name === Symbol.toPrimitive) return () => 0;
      if (typeof name === 'string') last = name;
      return event;
    },
    apply: () => event,
  });
  try {
    Reflect.apply(read, undefined, [event]);
  } catch {
    return undefined;
  }
  return last;
}
