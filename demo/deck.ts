import type { Chance } from './chance.ts';

/**
 * Deals the cards in an order of the seed's, and then again in another: each comes as often as it is in the deck,
 * and none long after it is due.
 */
export function createDeck<Card>(chance: Chance, name: string, cards: readonly Card[]): () => Card | undefined {
  let rounds = 0;
  let left: Card[] = [];
  return () => {
    if (left.length === 0) {
      rounds += 1;
      left = [...chance.shuffle(cards, `${name} ${rounds}`)];
    }
    return left.shift();
  };
}
