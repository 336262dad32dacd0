import type { InboundEvent } from '../../lambda/core/event.ts';
import { inboxKey, sha256Hex } from '../../lambda/core/inbox-key.ts';
import { T0 } from './manual-clock.ts';

/** An event of the source `bazaar`; what a test does not name does not matter to it. */
export function anEvent(changes: Partial<Omit<InboundEvent, 'key'>> = {}): InboundEvent {
  const rawBody = changes.rawBody ?? Buffer.from('{"type":"slip.credited"}');
  const source = changes.source ?? 'bazaar';
  const eventId = changes.eventId ?? 'evt_1';
  return {
    source,
    eventId,
    key: inboxKey(source, eventId),
    types: ['slip.credited'],
    body: { type: 'slip.credited', data: { account: 'acct-1', amount: 500 } },
    rawBody,
    bodyHash: sha256Hex(rawBody),
    contentEncoding: undefined,
    itemIndex: undefined,
    headers: {},
    receivedAt: T0,
    occurredAt: undefined,
    ...changes,
  };
}
