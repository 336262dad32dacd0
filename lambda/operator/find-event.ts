import type { Sources } from '../authoring/define-sources.ts';
import { OUTBOX_SOURCE } from '../consume/read-message.ts';
import { inboxEventId, inboxKey } from '../core/inbox-key.ts';
import type { InboxRecord, OperatorInbox } from './deployment/inbox-port.ts';
import { knownSource } from './known-source.ts';
import { Refusal } from './refusal.ts';

/**
 * The row of an event, by the id that its provider shows or the one that the inbox lists: they differ where an id is
 * very long.
 *
 * @throws Refusal when the inbox has none, or no source is called so.
 */
export async function findEvent(
  inbox: Pick<OperatorInbox, 'read'>,
  sources: Sources,
  source: string,
  eventId: string,
): Promise<InboxRecord> {
  const names = new Set([eventId, inboxEventId(eventId)]);
  for (const name of names) {
    const found = await inbox.read(inboxKey(source, name));
    if (found !== undefined) return found;
  }
  if (source !== OUTBOX_SOURCE) knownSource(sources, source);
  throw new Refusal(
    `the inbox has no such event of ${source}: it was never claimed, or its dedup window is over (ids are case-sensitive)`,
  );
}
