import type { InboundEvent } from '../core/event.ts';
import { inboxEventId, inboxKey, sha256Hex } from '../core/inbox-key.ts';
import { parseJson } from '../core/json.ts';
import type { MessageName } from '../core/message-ports.ts';
import type { QueueMessage } from '../core/queue-message.ts';
import { type EpochMs, epochMs } from '../core/time.ts';

/** What stands for the source in the inbox keys of messages. No source can be named so: a name has no colon. */
export const OUTBOX_SOURCE = 'outbox:';

export type ReadMessage =
  | {
      readonly kind: 'read';
      readonly name: MessageName;
      readonly event: InboundEvent;
      /** Somebody decided that its age does not matter. */
      readonly force: boolean;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A message of the outbox queue as the event that it is to the inbox. */
export function readMessage(message: QueueMessage): ReadMessage {
  const { id = '', topic = '', group, createdAt = '', force } = message.attributes;
  if (id === '' || topic === '') return { kind: 'unreadable', reason: 'no id or no topic among its attributes' };
  const parsed = parse(message.body);
  if (parsed === undefined) return { kind: 'unreadable', reason: 'its body is not JSON' };
  const committedAt = instant(createdAt);
  const receivedAt = message.sentAt ?? committedAt;
  if (receivedAt === undefined) return { kind: 'unreadable', reason: 'it does not say when it was sent' };

  const rawBody = Buffer.from(message.body);
  const eventId = inboxEventId(id);
  return {
    kind: 'read',
    name: { id, topic, group },
    force: force === 'true',
    event: {
      source: OUTBOX_SOURCE,
      eventId,
      key: inboxKey(OUTBOX_SOURCE, eventId),
      types: [topic],
      body: parsed.value,
      rawBody,
      bodyHash: sha256Hex(rawBody),
      contentEncoding: undefined,
      itemIndex: undefined,
      headers: {},
      receivedAt,
      // The age counts from the commit. SQS's own time begins anew with every sending: the sweep's second one, a
      // redrive, and in a FIFO queue the move to the DLQ.
      occurredAt: committedAt,
    },
  };
}

// The error would quote the payload.
function parse(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(body) };
  } catch {
    return undefined;
  }
}

function instant(text: string): EpochMs | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : epochMs(at);
}
