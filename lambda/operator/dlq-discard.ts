/**
 * Discard: deletes messages of a DLQ for good, those that were counted before and no others. There is no other copy of
 * them.
 */
import type { Clock } from '../core/ports.ts';
import { between, type DurationMs, plus, seconds } from '../core/time.ts';
import type { HeldMessages } from './dead-letters/hold-messages.ts';
import { type DeadLetter, type DlqName, identityOf } from './dead-letters/read-dead-letter.ts';
import { chooseDeadLetters } from './dlq-choose.ts';
import { listDeadLetters } from './dlq-list.ts';
import { printable } from './printable.ts';
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
 * @throws Refusal when an id means more than one event, the messages are hidden no longer, or one could not be deleted;
 * it says how many were.
 */
export async function discardDeadLetters(
  { clock, interruption, confirm, onDiscarded }: DiscardDeps,
  held: HeldMessages,
  wish: DiscardWish,
): Promise<readonly DeadLetter[]> {
  const begun = clock.now();
  const chosen = await choose(held, wish, interruption);
  if (interruption.aborted) throw new Refusal('interrupted, so nothing was deleted');
  if (chosen.length === 0) return [];

  await confirm(chosen);
  const end = plus(begun, HIDDEN_WHILE_ASKING - MARGIN);
  if (between(clock.now(), end) < 0) {
    throw new Refusal('the answer came too late: the messages may be visible to others again. Nothing was deleted');
  }
  for (const [discarded, letter] of chosen.entries()) {
    if (interruption.aborted) break;
    const done = `${discarded} of ${chosen.length} discarded`;
    if (between(clock.now(), end) < 0) {
      throw new Refusal(`it took too long: the rest may be visible to others again, so it was left. ${done}`);
    }
    await remove(held, letter, done);
    onDiscarded(letter);
  }
  return chosen;
}

async function choose(
  held: HeldMessages,
  { dlq, id, most }: DiscardWish,
  interruption: AbortSignal,
): Promise<readonly DeadLetter[]> {
  if (id !== undefined) return ((await chooseDeadLetters(held, { dlq, id }, interruption)) ?? []).slice(0, most);
  const all: DeadLetter[] = [];
  for await (const letters of listDeadLetters(held, dlq)) {
    all.push(...letters);
    if (all.length >= most) break;
  }
  return all.slice(0, most);
}

async function remove(held: HeldMessages, letter: DeadLetter, done: string): Promise<void> {
  try {
    await held.remove(letter.message);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`${done}, and ${printable(identityOf(letter))} may still be in the DLQ: ${error.message}`);
  }
}
