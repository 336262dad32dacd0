/**
 * The provider's side: sends every copy, up to 16 at once, and sends again what was not acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { epochMs } from '../lambda/core/time.ts';
import type { Chance } from './chance.ts';
import type { PlannedEvent } from './plan.ts';
import { signEvent } from './sign-event.ts';

export interface Tally {
  /** Requests sent. */
  deliveries: number;
  /** Requests that were a redelivery. */
  retries: number;
  /** Copies that ended with a 2xx. */
  acknowledged: number;
  /** Copies given up: never a 2xx for as long as the provider's patience. */
  givenUp: number;
  /** Answers by outcome; `no answer` where the connection broke. */
  readonly outcomes: Map<string, number>;
}

export interface DeliverOptions {
  readonly apiUrl: string;
  readonly secrets: Readonly<Record<string, readonly string[]>>;
  readonly outside: string;
  readonly atOnce: number;
  /** How long one copy is sent again, in milliseconds. */
  readonly patienceMs: number;
  readonly chance: Chance;
  readonly signal: AbortSignal;
}

interface Sending extends DeliverOptions {
  readonly takePlace: () => Promise<() => void>;
}

/** Longest wait between two sendings: a provider's hours, scaled down to the run. */
const LONGEST_PAUSE_MS = 1500;
const ANSWER_TIMEOUT_MS = 15_000;

export const createTally = (): Tally => ({
  deliveries: 0,
  retries: 0,
  acknowledged: 0,
  givenUp: 0,
  outcomes: new Map(),
});

/** Sends all copies in order; resolves when each was acknowledged or given up. */
export async function deliver(copies: readonly PlannedEvent[], tally: Tally, wishes: DeliverOptions): Promise<void> {
  // Redeliveries share the limit with first deliveries.
  const options: Sending = { ...wishes, takePlace: createPlaces(wishes.atOnce) };
  const waiting = copies.entries();
  // A copy that waits for its next sending leaves its place to others, as a provider's queue does.
  const resting = new Set<Promise<void>>();
  const sender = async (): Promise<void> => {
    for (const [n, event] of waiting) {
      if (options.signal.aborted) return;
      if (await sendOnce(event, tally, options)) continue;
      const rest = sendAgain(event, n, tally, options).finally(() => resting.delete(rest));
      resting.add(rest);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, sender));
  while (resting.size > 0) await Promise.all(resting);
}

/** Lets so many through at a time; each takes a place and calls the result when it leaves. */
function createPlaces(atOnce: number): () => Promise<() => void> {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return async () => {
    while (taken >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    taken += 1;
    return () => {
      taken -= 1;
      waiting.shift()?.();
    };
  };
}

async function sendAgain(event: PlannedEvent, n: number, tally: Tally, options: Sending): Promise<void> {
  const giveUpAt = Date.now() + options.patienceMs;
  for (let tries = 1; Date.now() < giveUpAt; tries += 1) {
    const pause = Math.min(LONGEST_PAUSE_MS, 150 * 2 ** tries) * (0.5 + options.chance.of('pause', n, tries) / 2);
    await sleep(pause, undefined, { signal: options.signal }).catch(() => undefined);
    if (options.signal.aborted) return;
    tally.retries += 1;
    if (await sendOnce(event, tally, options)) return;
  }
  tally.givenUp += 1;
}

/** Whether it was acknowledged. */
async function sendOnce(event: PlannedEvent, tally: Tally, options: Sending): Promise<boolean> {
  const leave = await options.takePlace();
  tally.deliveries += 1;
  try {
    const secret = options.secrets[event.source]?.[0] ?? '';
    const response = await fetch(`${options.apiUrl}/webhooks/${event.source}`, {
      method: 'POST',
      ...signEvent(event, secret, options.outside, epochMs(Date.now())),
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    count(tally, response.headers.get('x-oncehook-outcome') ?? `gateway ${response.status}`);
    if (response.ok) tally.acknowledged += 1;
    return response.ok;
  } catch {
    count(tally, 'no answer');
    return false;
  } finally {
    leave();
  }
}

const count = (tally: Tally, outcome: string): void => {
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
};
