import { readMessage } from '../../consume/read-message.ts';
import { assertNever } from '../../core/assert-never.ts';
import type { Envelope } from '../../core/envelope.ts';
import { decodeEnvelope } from '../../core/envelope-codec.ts';
import { isOncehookError } from '../../core/errors.ts';
import { inboxKey } from '../../core/inbox-key.ts';
import type { MessageName } from '../../core/message-ports.ts';
import type { QueueMessage } from '../../core/queue-message.ts';
import type { EpochMs } from '../../core/time.ts';

/** Which DLQ, by the queue it belongs to. */
export type DlqName = 'events' | 'outbox' | 'deliveries';

/** A message of a DLQ, read. */
export type DeadLetter =
  | { readonly kind: 'event'; readonly message: QueueMessage; readonly envelope: Envelope }
  | {
      readonly kind: 'outbox';
      readonly message: QueueMessage;
      readonly name: MessageName;
      /** When its event was committed. */
      readonly createdAt: EpochMs | undefined;
      /** The target of a delivery; absent in the outbox DLQ. */
      readonly target: string | undefined;
      /** Absent where SQS moved it. */
      readonly reason: string | undefined;
    }
  /** `problem` names no value. */
  | { readonly kind: 'unreadable'; readonly message: QueueMessage; readonly problem: string };

export const readDeadLetter = (dlq: DlqName, message: QueueMessage): DeadLetter =>
  dlq === 'events' ? readEvent(message) : readOutboxMessage(message);

function readEvent(message: QueueMessage): DeadLetter {
  try {
    return { kind: 'event', message, envelope: decodeEnvelope(message.body) };
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    return { kind: 'unreadable', message, problem: error.message };
  }
}

function readOutboxMessage(message: QueueMessage): DeadLetter {
  const read = readMessage(message);
  if (read.kind === 'unreadable') return { kind: 'unreadable', message, problem: read.reason };
  return {
    kind: 'outbox',
    message,
    name: read.name,
    createdAt: read.event.occurredAt,
    target: message.attributes['target'],
    reason: message.attributes['reason'],
  };
}

/** What is applied once, however many messages bring it; of an unreadable message, the message. */
export function identityOf(letter: DeadLetter): string {
  switch (letter.kind) {
    case 'event':
      return inboxKey(letter.envelope.source, letter.envelope.eventId);
    case 'outbox':
      return letter.target === undefined ? letter.name.id : `${letter.name.id} → ${letter.target}`;
    case 'unreadable':
      return letter.message.messageId;
    default:
      return assertNever(letter);
  }
}

/**
 * Whether `id` means this message: `exact` for `<source>#<event id>`, an outbox id or a message id; `bare` for an event
 * id alone, which events of other sources may have too.
 */
export function meaningOf(letter: DeadLetter, id: string): 'exact' | 'bare' | undefined {
  if (letter.message.messageId === id || identityOf(letter) === id) return 'exact';
  if (letter.kind === 'outbox' && letter.name.id === id) return 'exact';
  return letter.kind === 'event' && letter.envelope.eventId === id ? 'bare' : undefined;
}

/** Why automatic attempts ended, where the message says it. */
export const reasonOf = (letter: DeadLetter): string | undefined => {
  switch (letter.kind) {
    case 'event':
      return letter.envelope.parked?.reason;
    case 'outbox':
      return letter.reason;
    case 'unreadable':
      return undefined;
  }
};
