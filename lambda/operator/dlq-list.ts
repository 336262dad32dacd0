import type { HeldMessages } from './dead-letters/hold-messages.ts';
import { type DeadLetter, type DlqName, readDeadLetter } from './dead-letters/read-dead-letter.ts';

/** Reads what a DLQ has, up to ten messages at a time. */
export async function* listDeadLetters(held: HeldMessages, dlq: DlqName): AsyncIterable<readonly DeadLetter[]> {
  for (let batch = await held.next(); batch.length > 0; batch = await held.next()) {
    yield batch.map((message) => readDeadLetter(dlq, message));
  }
}
