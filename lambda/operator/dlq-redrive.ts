/**
 * Redrive of a DLQ: each message goes back into the queue it came from, and only then out of the DLQ. Nothing is
 * applied from here: what brings an event back goes through the inbox, so one that was applied meanwhile is a no-op.
 *
 * What a crash leaves behind, for each message: not sent, and it is still in the DLQ; sent and not removed, and it is
 * in both, which the inbox makes one.
 *
 * An event comes back into the DLQ when its cause is still there, perhaps while this runs. Each is redriven once a
 * run, so that the run ends.
 */

import { type ExpiryDeps, isExpired } from './dead-letters/expired-events.ts';
import type { HeldMessages } from './dead-letters/hold-messages.ts';
import { toOutgoing } from './dead-letters/outgoing-message.ts';
import { type DeadLetter, type DlqName, identityOf, isMeant } from './dead-letters/read-dead-letter.ts';
import type { OperatorQueue } from './deployment/queue-port.ts';
import { listDeadLetters } from './dlq-list.ts';
import { Refusal } from './refusal.ts';

export type RedriveEnding =
  | { readonly kind: 'redriven'; readonly forced: boolean }
  /** It may be older than the dedup window, and nobody decided that it is to be applied all the same. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'unreadable'; readonly problem: string }
  /** Redriven by this run already: a second copy, or it failed again. */
  | { readonly kind: 'again' };

export interface RedriveWish {
  readonly dlq: DlqName;
  /** Absent for all. */
  readonly id: string | undefined;
  /** Messages to send, at most. */
  readonly most: number;
  readonly processExpired: boolean;
}

export interface RedriveDeps extends ExpiryDeps {
  readonly queue: Pick<OperatorQueue, 'send'>;
  /** Called for each message that is meant, as it ends. */
  readonly onEnding: (letter: DeadLetter, ending: RedriveEnding) => void;
}

/** @throws Refusal when a queue cannot be reached; what was not sent stays in the DLQ. */
export async function redriveDeadLetters(deps: RedriveDeps, held: HeldMessages, wish: RedriveWish): Promise<void> {
  const redriven = new Set<string>();
  let sent = 0;

  async function redrive(letter: DeadLetter): Promise<RedriveEnding> {
    if (letter.kind === 'unreadable') return { kind: 'unreadable', problem: letter.problem };
    const identity = identityOf(letter);
    if (redriven.has(identity)) return { kind: 'again' };
    redriven.add(identity);
    const expired = await isExpired(deps, letter);
    if (expired && !wish.processExpired) return { kind: 'expired' };
    await deps.queue.send(toOutgoing(letter, expired));
    sent += 1;
    await removeSent(held, letter);
    return { kind: 'redriven', forced: expired };
  }

  for await (const letters of listDeadLetters(held, wish.dlq)) {
    const { id } = wish;
    // What is under way is bounded by what is received at once, and by what may still be sent.
    let rest = letters.filter((letter) => id === undefined || isMeant(letter, id));
    while (rest.length > 0 && sent < wish.most) {
      const now = rest.slice(0, wish.most - sent);
      rest = rest.slice(now.length);
      const endings = await Promise.allSettled(now.map(async (letter) => deps.onEnding(letter, await redrive(letter))));
      for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
    }
    if (sent >= wish.most) return;
  }
}

async function removeSent(held: HeldMessages, letter: DeadLetter): Promise<void> {
  try {
    await held.remove(letter.message);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`${identityOf(letter)} was put back to work and is still in the DLQ: ${error.message}`);
  }
}
