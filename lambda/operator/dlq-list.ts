import type { HeldMessages } from './dead-letters/hold-messages.ts';
import { type DeadLetter, type DlqName, isMeant, readDeadLetter } from './dead-letters/read-dead-letter.ts';

/** Reads what a DLQ has, up to ten messages at a time. */
export async function* listDeadLetters(held: HeldMessages, dlq: DlqName): AsyncIterable<readonly DeadLetter[]> {
  for (let batch = await held.next(); batch.length > 0; batch = await held.next()) {
    yield batch.map((message) => readDeadLetter(dlq, message));
  }
}

/** The first message that `id` means; `undefined` when there is none that can be seen. */
export async function findDeadLetter(held: HeldMessages, dlq: DlqName, id: string): Promise<DeadLetter | undefined> {
  for await (const letters of listDeadLetters(held, dlq)) {
    const found = letters.find((letter) => isMeant(letter, id));
    if (found !== undefined) return found;
  }
  return undefined;
}
