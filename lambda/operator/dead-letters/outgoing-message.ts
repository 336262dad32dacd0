import { encodeEnvelope } from '../../core/envelope-codec.ts';
import type { OutgoingMessage } from '../deployment/queue-port.ts';
import type { DeadLetter } from './read-dead-letter.ts';

/**
 * The message in the form in which its queue first had it: without why it was given up.
 *
 * @param force Somebody decided that its age does not matter.
 */
export function toOutgoing(
  letter: Exclude<DeadLetter, { readonly kind: 'unreadable' }>,
  force: boolean,
): OutgoingMessage {
  const { message } = letter;
  if (letter.kind === 'event') {
    const { envelope } = letter;
    const asItWas = { ...envelope, notBefore: undefined, postponedSince: undefined, parked: undefined, force };
    return { body: encodeEnvelope(asItWas), attributes: {}, fifo: undefined };
  }
  const { reason: _reason, force: _force, ...own } = message.attributes;
  return {
    body: message.body,
    attributes: { ...own, ...(force ? { force: 'true' } : {}) },
    // One deduplication id a receipt: SQS drops what carries an id that it had within five minutes, and would
    // take this for the sending of then.
    fifo:
      message.groupId === undefined
        ? undefined
        : { groupId: message.groupId, deduplicationId: `${message.messageId}-${message.receives}` },
  };
}
