import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, type Fault, type FaultSource } from '../../../../local/faults/fault.ts';
import { seededFaults } from '../../../../local/faults/seeded.ts';
import { aCall } from './a-call.ts';

const EVERYTHING = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0.1]));

const subjects = Array.from({ length: 60 }, (_, n) => `Inbox evt_${n}`);

/** The faults of each subject's three calls, asked for in some order of the calls. */
function faultsOf(source: FaultSource, order: readonly string[]): Readonly<Record<string, (Fault | undefined)[]>> {
  const met: Record<string, (Fault | undefined)[]> = {};
  for (const subject of order) met[subject] = [...(met[subject] ?? []), source(aCall({ subject }))];
  return met;
}

const thrice = (list: readonly string[]) => [...list, ...list, ...list];

describe('faults by seed', () => {
  it('are the same for the same seed, in whatever order the calls come', () => {
    const inOrder = faultsOf(seededFaults({ seed: '7', chances: EVERYTHING }), thrice(subjects));
    const backwards = faultsOf(seededFaults({ seed: '7', chances: EVERYTHING }), thrice(subjects.toReversed()));
    const oneByOne = faultsOf(
      seededFaults({ seed: '7', chances: EVERYTHING }),
      subjects.flatMap((s) => [s, s, s]),
    );

    expect(backwards).toEqual(inOrder);
    expect(oneByOne).toEqual(inOrder);
  });

  it('are others for another seed, another action, and the next call of the same kind', () => {
    const list = (source: FaultSource, changes = {}) =>
      subjects.map((subject) => source(aCall({ subject, ...changes })));
    const source = seededFaults({ seed: '7', chances: EVERYTHING });
    const first = list(source);

    expect(list(source)).not.toEqual(first);
    expect(list(seededFaults({ seed: '8', chances: EVERYTHING }))).not.toEqual(first);
    expect(list(seededFaults({ seed: '7', chances: EVERYTHING }), { action: 'UpdateItem' })).not.toEqual(first);
  });

  it('come about as often as they should, each kind', () => {
    const source = seededFaults({ seed: '1', chances: EVERYTHING });

    const input = { Entries: [{ Id: 'a' }, { Id: 'b' }] };
    const met = Array.from({ length: 5000 }, (_, n) => source(aCall({ subject: String(n), input }))?.kind);

    for (const kind of FAULT_KINDS) {
      const share = met.filter((each) => each === kind).length / met.length;
      expect(share, kind).toBeGreaterThan(0.085);
      expect(share, kind).toBeLessThan(0.115);
    }
  });

  it('never come where the chance is none, and always where it is one', () => {
    const never = seededFaults({ seed: '1', chances: { cut: 0 } });
    const always = seededFaults({ seed: '1', chances: { cut: 1 } });

    for (const subject of subjects) {
      expect(never(aCall({ subject }))).toBeUndefined();
      expect(always(aCall({ subject }))).toEqual({ kind: 'cut' });
    }
  });

  it('cannot have chances over one', () => {
    expect(() => seededFaults({ seed: '1', chances: { cut: 0.5, refuse: 0.5 } })).not.toThrow();
    expect(() => seededFaults({ seed: '1', chances: { cut: 0.5, refuse: 0.51 } })).toThrow(RangeError);
  });

  it('keep to the calls they are about', () => {
    const source = seededFaults({ seed: '1', chances: { cut: 1 }, only: ({ action }) => action === 'GetItem' });

    expect(source(aCall())).toBeUndefined();
    expect(source(aCall({ action: 'GetItem' }))).toEqual({ kind: 'cut' });
  });

  it('are never a conflict of a call that no transaction can be in the way of', () => {
    const source = seededFaults({ seed: '1', chances: { conflict: 1 } });

    expect(source(aCall({ items: 0 }))).toBeUndefined();
    expect(source(aCall({ items: 1 }))).toEqual({ kind: 'conflict', at: 0 });
  });

  it('fail every entry of a batch now and then, at least one at a time, and are never of what is no batch', () => {
    const source = seededFaults({ seed: '1', chances: { partial: 1 } });
    const input = { Entries: [{ Id: 'a' }, { Id: 'b' }, { Id: 'c' }] };

    const met = subjects.map((subject) => source(aCall({ subject, input })));

    const failed = met.map((fault) => (fault?.kind === 'partial' ? fault.failed : []));
    expect(new Set(failed.flat())).toEqual(new Set([0, 1, 2]));
    expect(failed.every((places) => places.length > 0)).toBe(true);
    expect(source(aCall())).toBeUndefined();
  });

  it('meet every item of a transaction, and delays of at most the longest', () => {
    const conflicts = seededFaults({ seed: '1', chances: { conflict: 1 } });
    const delays = seededFaults({ seed: '1', chances: { 'delay-before': 1 }, longestDelayMs: 3 });

    const places = subjects.map((subject) => conflicts(aCall({ subject, items: 3 })));
    const waits = subjects.map((subject) => delays(aCall({ subject })));

    expect(new Set(places.map((fault) => fault?.kind === 'conflict' && fault.at))).toEqual(new Set([0, 1, 2]));
    expect(new Set(waits.map((fault) => fault?.kind === 'delay-before' && fault.wait))).toEqual(new Set([1, 2, 3]));
  });
});
