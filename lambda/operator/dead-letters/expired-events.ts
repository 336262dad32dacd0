import { assertNever } from '../../core/assert-never.ts';
import { type DedupWindow, mayBeForgotten } from '../../core/dedup-window.ts';
import { inboxKey } from '../../core/inbox-key.ts';
import type { Clock } from '../../core/ports.ts';
import type { OperatorInbox } from '../deployment/inbox-port.ts';
import { type DeadLetter, reasonOf } from './read-dead-letter.ts';

export interface ExpiryDeps {
  readonly inbox: Pick<OperatorInbox, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Absent where the deployment does not show it: then the message's own reason is all there is. */
  readonly window: DedupWindow | undefined;
}

/**
 * Whether nobody can tell if it was applied before: it says so itself, or it is older than the window by now and the
 * inbox has no row of it. A row, of a parked event for one, tells.
 */
export async function isExpired({ inbox, clock, window }: ExpiryDeps, letter: DeadLetter): Promise<boolean> {
  if (reasonOf(letter) === 'expired') return true;
  switch (letter.kind) {
    case 'event': {
      const { envelope } = letter;
      if (window === undefined || !mayBeForgotten(envelope, clock.now(), window)) return false;
      return (await inbox.read(inboxKey(envelope.source, envelope.eventId))) === undefined;
    }
    case 'outbox':
    case 'unreadable':
      return false;
    default:
      return assertNever(letter);
  }
}
