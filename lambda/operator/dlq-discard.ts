/**
 * Discard: deletes messages of a DLQ for good, those that were counted before and no others. There is no other copy of
 * them.
 */
import type { Clock } from '../core/ports.ts';
import { between, type DurationMs, plus, seconds } from '../core/time.ts';
import type { HeldMessages } from './dead-letters/hold-messages.ts';
import { type DeadLetter, type DlqName, isMeant } from './dead-letters/read-dead-letter.ts';
import { listDeadLetters } from './dlq-list.ts';
import { Refusal } from './refusal.ts';

/** For so long messages wait for a person's answer. */
export const HIDDEN_WHILE_ASKING: DurationMs = seconds(900);

/** Taken off: what is visible again may be somebody else's by the time that it is deleted. */
const MARGIN = seconds(60);

export interface DiscardWish {
  readonly dlq: DlqName;
  /** Absent for all. */
  readonly id: string | undefined;
  readonly most: number;
}

export interface DiscardDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly interruption: AbortSignal;
  /** Asks, given all that would be deleted. @throws Refusal when they are to be kept. */
  readonly confirm: (letters: readonly DeadLetter[]) => Promise<void>;
  readonly onDiscarded: (letter: DeadLetter) => void;
}

/**
 * @returns what was to be deleted; all of it was, unless it was interrupted.
 * @throws Refusal when the answer came too late, or a message could not be deleted.
 */
export async function discardDeadLetters(
  { clock, interruption, confirm, onDiscarded }: DiscardDeps,
  held: HeldMessages,
  { dlq, id, most }: DiscardWish,
): Promise<readonly DeadLetter[]> {
  const begun = clock.now();
  const meant: DeadLetter[] = [];
  for await (const letters of listDeadLetters(held, dlq)) {
    meant.push(...letters.filter((letter) => id === undefined || isMeant(letter, id)));
    if (meant.length >= most) break;
  }
  const chosen = meant.slice(0, most);
  if (interruption.aborted) throw new Refusal('interrupted, so nothing was deleted');
  if (chosen.length === 0) return [];

  await confirm(chosen);
  if (between(clock.now(), plus(begun, HIDDEN_WHILE_ASKING - MARGIN)) < 0) {
    throw new Refusal('the answer came too late: the messages may be visible to others again. Nothing was deleted');
  }
  for (const letter of chosen) {
    if (interruption.aborted) break;
    await held.remove(letter.message);
    onDiscarded(letter);
  }
  return chosen;
}
