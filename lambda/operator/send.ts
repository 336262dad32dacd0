/**
 * Send: copies of one event, each signed anew, as its provider would send them.
 */
import type { Clock } from '../core/ports.ts';
import { between, type DurationMs, epochMs, seconds, toEpochSeconds } from '../core/time.ts';
import { type Answer, readAnswer } from './delivery/answer.ts';
import type { PreparedDelivery } from './delivery/prepare-delivery.ts';
import type { Post } from './ports.ts';
import type { Signer } from './signers/signer.ts';

export interface SendPlan {
  readonly url: string;
  readonly signer: Signer;
  /** What the provider was told, for schemes that sign it. */
  readonly publicUrl: string | undefined;
  readonly secret: string;
  readonly delivery: PreparedDelivery;
  readonly times: number;
  /** How many are under way at once, at most. */
  readonly concurrency: number;
  /** How often a copy is sent again when its answer is not the wanted one. */
  readonly retries: number;
  /** Changes the last byte after signing; the wanted answer is then 401. */
  readonly tamper: boolean;
}

export interface SendDeps {
  readonly post: Post;
  readonly clock: Clock;
  /** Called for each answer, in the order they come. */
  readonly onAnswer: (answer: Answer) => void;
}

export interface SendEnding {
  /** Copies whose last answer was not the wanted one. */
  readonly unwanted: number;
  /** Why sending stopped before the end. */
  readonly unreachable: string | undefined;
}

/**
 * Sends until every copy has its answer, or until one gets none: no further copy is begun then,
 * and those under way are waited for.
 *
 * @throws Refusal for a body that has no place for the proof.
 * @throws OncehookError `CONFIG_INVALID` for a secret that cannot be decoded.
 */
export async function send(plan: SendPlan, { post, clock, onAnswer }: SendDeps): Promise<SendEnding> {
  let begun = 0;
  let unwanted = 0;
  let unreachable: string | undefined;

  async function sendOnce(n: number): Promise<Answer | undefined> {
    const startedAt = clock.now();
    // Providers sign whole seconds that have begun.
    const timestamp = toEpochSeconds(epochMs(startedAt - (startedAt % 1000)));
    const { id, headers } = plan.delivery;
    const unsigned = { id, timestamp, body: plan.delivery.body, url: plan.publicUrl };
    const signed = plan.signer.sign(plan.secret, unsigned);
    const answered = await post({
      url: signed.query === undefined ? plan.url : withQuery(plan.url, signed.query),
      headers: { ...headers, ...signed.headers },
      body: plan.tamper ? tampered(signed.body) : signed.body,
    });
    if (answered.kind === 'unreachable') {
      unreachable ??= answered.reason;
      return undefined;
    }
    return readAnswer(n, answered, between(startedAt, clock.now()));
  }

  async function sendUntilWanted(n: number): Promise<void> {
    for (let again = 0; ; again += 1) {
      const answer = await sendOnce(n);
      if (answer === undefined) return;
      onAnswer(answer);
      if (isWanted(answer, plan.tamper)) return;
      if (again === plan.retries) {
        unwanted += 1;
        return;
      }
      await clock.sleep(answer.retryAfter ?? backoff(again));
    }
  }

  async function sendInTurn(): Promise<void> {
    while (begun < plan.times && unreachable === undefined) {
      begun += 1;
      await sendUntilWanted(begun);
    }
  }

  const lanes = Math.min(plan.concurrency, plan.times);
  await Promise.all(Array.from({ length: lanes }, sendInTurn));
  return { unwanted, unreachable };
}

const isWanted = ({ status }: Answer, tamper: boolean): boolean =>
  tamper ? status === 401 : status >= 200 && status < 300;

/** Longest pause of our own; a person waits for it. */
const LONGEST_BACKOFF = 30;

const backoff = (again: number): DurationMs => seconds(Math.min(2 ** again, LONGEST_BACKOFF));

function withQuery(url: string, query: string): string {
  const target = new URL(url);
  target.search = query;
  return target.href;
}

function tampered(body: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(body);
  const last = copy.length - 1;
  copy[last] = (copy[last] ?? 0) ^ 1;
  return copy;
}
