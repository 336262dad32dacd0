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
import { type DeadLetter, type DlqName, identityOf } from './dead-letters/read-dead-letter.ts';
import type { OperatorQueue } from './deployment/queue-port.ts';
import { chooseDeadLetters } from './dlq-choose.ts';
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
  readonly interruption: AbortSignal;
  /** Called for each message that is meant, as it ends. */
  readonly onEnding: (letter: DeadLetter, ending: RedriveEnding) => void;
}

/**
 * @throws Refusal when a queue cannot be reached, and what was not sent stays in the DLQ; or when an id means more than
 * one event, and nothing was sent.
 */
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

  for await (const letters of wanted(held, wish, deps.interruption)) {
    // What is under way is bounded by what is received at once, and by what may still be sent.
    let rest = letters;
    while (rest.length > 0 && sent < wish.most) {
      const now = rest.slice(0, wish.most - sent);
      rest = rest.slice(now.length);
      const endings = await Promise.allSettled(now.map(async (letter) => deps.onEnding(letter, await redrive(letter))));
      for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
    }
    if (sent >= wish.most) return;
  }
}

/** At most ten messages at a time, none after it was interrupted. */
async function* wanted(
  held: HeldMessages,
  { dlq, id }: RedriveWish,
  interruption: AbortSignal,
): AsyncIterable<readonly DeadLetter[]> {
  if (id === undefined) {
    yield* listDeadLetters(held, dlq);
    return;
  }
  const letters = (await chooseDeadLetters(held, { dlq, id }, interruption)) ?? [];
  for (let n = 0; n < letters.length && !interruption.aborted; n += AT_ONCE) yield letters.slice(n, n + AT_ONCE);
}

/** As many as a queue gives at once. */
const AT_ONCE = 10;

async function removeSent(held: HeldMessages, letter: DeadLetter): Promise<void> {
  try {
    await held.remove(letter.message);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`${identityOf(letter)} was put back to work and is still in the DLQ: ${error.message}`);
  }
}
