import { assertNever } from '../../core/assert-never.ts';
import { isStored } from '../../core/envelope.ts';
import type { BodyStore } from '../../core/event-ports.ts';
import { Refusal } from '../refusal.ts';
import type { DeadLetter } from './read-dead-letter.ts';

/**
 * The bytes that a message brings: of an event those of its delivery, exactly as they were received.
 *
 * @throws Refusal when they are not where the message says.
 */
export async function bodyOf(letter: DeadLetter, bodies: () => Promise<Pick<BodyStore, 'get'>>): Promise<Uint8Array> {
  switch (letter.kind) {
    case 'event': {
      const { body } = letter.envelope;
      if (!isStored(body)) return body.bytes;
      const bytes = await (await bodies()).get(body);
      if (bytes !== undefined) return bytes;
      throw new Refusal(`the body is not in ${body.bucket} any more: it is kept there for 30 days`);
    }
    case 'outbox':
    case 'unreadable':
      return Buffer.from(letter.message.body);
    default:
      return assertNever(letter);
  }
}
