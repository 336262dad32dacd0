import { createHash } from 'node:crypto';

/**
 * Chance that depends on the seed and on what it is asked about, and not on when: two runs with one
 * seed plan the same faults for the same event, however the machine interleaves them.
 */
export interface Chance {
  /** From 0 to below 1. */
  of(...about: readonly (string | number)[]): number;
  /** From `least` to `most`, whole. */
  between(least: number, most: number, ...about: readonly (string | number)[]): number;
  /** The same elements in another order. */
  shuffle<Item>(items: readonly Item[], about: string): readonly Item[];
}

export function createChance(seed: string): Chance {
  const of: Chance['of'] = (...about) =>
    createHash('sha256')
      .update(JSON.stringify([seed, ...about]))
      .digest()
      .readUInt32BE(0) /
    2 ** 32;
  const between: Chance['between'] = (least, most, ...about) => least + Math.floor(of(...about) * (most - least + 1));
  return {
    of,
    between,
    shuffle: (items, about) =>
      items
        .map((item, n) => ({ item, place: of(about, n) }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ item }) => item),
  };
}
