import type { MappingSpec } from './mapping-spec.ts';

/**
 * What can go wrong between a stream or a queue and its function: a read fails, and the mapping stands still
 * for a second; a batch that the function has answered well is given to it again at once, as Lambda does when
 * it loses what it knew; what the function is done with is not deleted from the queue, and comes again.
 */
export type MappingFaultKind = 'read-fails' | 'batch-repeats' | 'delete-fails';

/** The moment at which one of them can happen. */
export interface MappingMoment {
  readonly kind: MappingFaultKind;
  readonly functionKey: string;
  readonly from: MappingSpec['from'];
  /** Which such moment of this mapping, from 1. */
  readonly n: number;
}

export type MappingFaultCounts = Readonly<Record<MappingFaultKind, number>>;

/** What goes wrong with the mappings. */
export interface MappingFaults {
  /**
   * Adds a source, which says of each moment whether it goes wrong.
   *
   * @example faults.use(({ kind, functionKey }) => kind === 'batch-repeats' && functionKey === 'dispatch');
   */
  use(source: (moment: MappingMoment) => boolean): { readonly injected: MappingFaultCounts; end(): void };
}

/** The side that a mapping asks. */
export interface MappingTroubles {
  befalls(kind: MappingFaultKind): boolean;
}

export function createMappingFaults(): {
  readonly faults: MappingFaults;
  readonly troublesOf: (spec: MappingSpec) => MappingTroubles;
} {
  type Source = (moment: MappingMoment) => boolean;
  const uses = new Map<Source, Record<MappingFaultKind, number>>();
  /** By logical id, so that a mapping goes on counting when it is started anew. */
  const moments = new Map<string, Record<MappingFaultKind, number>>();

  return {
    faults: {
      use(source) {
        const injected = none();
        uses.set(source, injected);
        return { injected, end: () => void uses.delete(source) };
      },
    },
    troublesOf({ logicalId, functionKey, from }) {
      const counts = moments.get(logicalId) ?? none();
      moments.set(logicalId, counts);
      return {
        befalls(kind) {
          counts[kind] += 1;
          const moment = { kind, functionKey, from, n: counts[kind] };
          for (const [source, injected] of uses) {
            if (!source(moment)) continue;
            injected[kind] += 1;
            return true;
          }
          return false;
        },
      };
    },
  };
}

const none = (): Record<MappingFaultKind, number> => ({ 'read-fails': 0, 'batch-repeats': 0, 'delete-fails': 0 });
