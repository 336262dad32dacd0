/**
 * Which messages of a DLQ one id means. Event ids are unique within a source alone, so a bare one may mean several
 * events: then it means none of them, and whoever gave it is told what there is. That is known only when the whole DLQ
 * was looked through, so nothing is chosen before that.
 */
import type { HeldMessages } from './dead-letters/hold-messages.ts';
import { type DeadLetter, type DlqName, identityOf, meaningOf } from './dead-letters/read-dead-letter.ts';
import { listDeadLetters } from './dlq-list.ts';
import { printable } from './printable.ts';
import { Refusal } from './refusal.ts';

export interface Wanted {
  readonly dlq: DlqName;
  readonly id: string;
}

/**
 * All messages that `id` means, copies of one event included.
 *
 * @returns `undefined` when it was interrupted before all were seen.
 * @throws Refusal when it means more than one event.
 */
export async function chooseDeadLetters(
  held: HeldMessages,
  { dlq, id }: Wanted,
  interruption: AbortSignal,
): Promise<readonly DeadLetter[] | undefined> {
  const exact: DeadLetter[] = [];
  const bare: DeadLetter[] = [];
  for await (const letters of listDeadLetters(held, dlq)) {
    exact.push(...letters.filter((letter) => meaningOf(letter, id) === 'exact'));
    bare.push(...letters.filter((letter) => meaningOf(letter, id) === 'bare'));
  }
  if (interruption.aborted) return undefined;
  if (exact.length > 0) return exact;
  requireOneEvent(bare, id);
  return bare;
}

/**
 * The first message that `id` means; `undefined` when there is none that can be seen.
 *
 * @throws Refusal when it means more than one event, or it was interrupted before that was known.
 */
export async function findDeadLetter(
  held: HeldMessages,
  { dlq, id }: Wanted,
  interruption: AbortSignal,
): Promise<DeadLetter | undefined> {
  const bare: DeadLetter[] = [];
  for await (const letters of listDeadLetters(held, dlq)) {
    const exact = letters.find((letter) => meaningOf(letter, id) === 'exact');
    if (exact !== undefined) return exact;
    bare.push(...letters.filter((letter) => meaningOf(letter, id) === 'bare'));
  }
  if (interruption.aborted) throw new Refusal('interrupted before all of the DLQ was looked through');
  requireOneEvent(bare, id);
  return bare[0];
}

function requireOneEvent(letters: readonly DeadLetter[], id: string): void {
  const identities = [...new Set(letters.map(identityOf))];
  if (identities.length <= 1) return;
  const shown = identities.map(printable).join(', ');
  throw new Refusal(`${printable(id)} means more than one event: ${shown}. Say which; nothing was changed`);
}
