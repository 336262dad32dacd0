import { createHash } from 'node:crypto';
import { assertNever } from '../../lambda/core/assert-never.ts';
import { listOf } from '../template/template.ts';
import { type Call, FAULT_KINDS, type Fault, type FaultKind, type FaultSource } from './fault.ts';

export interface SeededFaults {
  /** The same seed gives the same faults to the same calls. */
  readonly seed: string;
  /** The share of calls, from 0 to 1, that meet each kind; together at most 1. */
  readonly chances: Partial<Readonly<Record<FaultKind, number>>>;
  /** Which calls it is about. @default all */
  readonly only?: (call: Call) => boolean;
  /** Milliseconds. @default 200 */
  readonly longestDelayMs?: number;
  /** Errors of `refuse`, one as likely as another. @default InternalServerError */
  readonly errors?: readonly string[];
}

/**
 * A source of random faults that can be replayed.
 *
 * What befalls a call depends on the seed, on what the call is about and on how many such calls
 * there were, not on when it arrives: the order of calls that run at once is never the same twice,
 * and one event's faults must not depend on another's.
 */
export function seededFaults(options: SeededFaults): FaultSource {
  const { chances, only, seed } = options;
  const total = FAULT_KINDS.reduce((sum, kind) => sum + (chances[kind] ?? 0), 0);
  if (total > 1) throw new RangeError(`the chances of all faults come to ${total}; at most 1 of 1 calls can meet one`);
  const seen = new Map<string, number>();

  return (call) => {
    if (only !== undefined && !only(call)) return undefined;
    const subject = [call.functionKey, call.service, call.action, call.subject].join(' ');
    const nth = (seen.get(subject) ?? 0) + 1;
    seen.set(subject, nth);
    const random = drawsOf(`${seed} ${subject} ${nth}`);

    let rest = random();
    for (const kind of FAULT_KINDS) {
      rest -= chances[kind] ?? 0;
      if (rest < 0) return faultOf(kind, call, random, options);
    }
    return undefined;
  };
}

function faultOf(kind: FaultKind, call: Call, random: () => number, options: SeededFaults): Fault | undefined {
  const { longestDelayMs = 200, errors = ['InternalServerError'] } = options;
  const below = (limit: number): number => Math.floor(random() * limit);
  switch (kind) {
    case 'refuse':
      return { kind, code: errors[below(errors.length)] ?? 'InternalServerError' };
    case 'throttle':
      // A transaction is refused as a whole or for one of its items.
      return call.items > 1 && random() < 0.5 ? { kind, at: below(call.items) } : { kind };
    case 'conflict':
      return call.items === 0 ? undefined : { kind, at: below(call.items) };
    case 'partial': {
      const places = [...listOf(call.input['Entries']).keys()];
      if (places.length === 0) return undefined;
      const failed = places.filter(() => random() < 0.5);
      return { kind, failed: failed.length > 0 ? failed : [below(places.length)] };
    }
    case 'delay-before':
    case 'delay-after':
      return { kind, wait: 1 + below(longestDelayMs) };
    case 'cut':
    case 'drop-answer':
    case 'kill-before':
    case 'kill-after':
      return { kind };
    default:
      return assertNever(kind);
  }
}

/** Numbers from 0 up to, not including, 1 that follow from a text: bytes of its SHA-256. */
function drawsOf(text: string): () => number {
  const hash = createHash('sha256').update(text).digest();
  let at = 0;
  return () => {
    const value = hash.readUInt32BE(at % hash.length);
    at += 4;
    return value / 2 ** 32;
  };
}
