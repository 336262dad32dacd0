/**
 * Commit: the one transaction that ends an event, sent until its fate is known.
 *
 * The transaction is built once and sent unchanged every time: with the same client token DynamoDB
 * applies it once however often it arrives, and after the token's ten minutes the condition on the
 * claim token takes over. What may be repeated, and what ends the attempt:
 * - busy (a conflict, throttling): nothing was written; the same again after a jittered wait;
 * - unknown (no answer): it may have been applied; the same again finds out, either by DynamoDB's
 *   memory of the token or by the row, which then says `processed` with my token;
 * - everything else is an answer.
 *
 * If time runs out, the caller releases the claim, whatever the last answer was: busy now says nothing
 * of an earlier sending that was not answered. The release has the same condition as the commit, so if
 * it succeeds the commit did not happen and never will.
 */
import { fullJitter } from '../core/backoff.ts';
import type { Chance, Clock, CommitAnswer, Invocation, SendCommit } from '../core/ports.ts';
import { milliseconds } from '../core/time.ts';
import { RETRY_BASE, RETRY_CAP } from './retry-write.ts';

/** Left for the release and the answer. */
const TIME_TO_RELEASE = milliseconds(800);

/** An answer that stays away this often will not come: the release finds out what happened. */
const MAX_UNKNOWN = 3;

/** @returns the last answer, and how often it was put off by a conflict or by throttling. */
export async function commit(
  deps: { readonly clock: Clock; readonly chance: Chance },
  send: SendCommit,
  invocation: Invocation,
): Promise<{ readonly answer: CommitAnswer; readonly conflicts: number }> {
  let unknown = 0;
  let conflicts = 0;
  for (let tries = 0; ; tries += 1) {
    const answer = await send();
    if (answer.kind === 'unknown') unknown += 1;
    if (answer.kind === 'busy') conflicts += 1;
    if (answer.kind !== 'busy' && answer.kind !== 'unknown') return { answer, conflicts };

    const wait = fullJitter(tries, RETRY_BASE, RETRY_CAP, deps.chance.random());
    const inTime = deps.clock.now() + wait + TIME_TO_RELEASE < invocation.endsAt;
    if (!inTime || unknown >= MAX_UNKNOWN) return { answer, conflicts };
    await deps.clock.sleep(wait);
  }
}
