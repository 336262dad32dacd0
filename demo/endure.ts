/**
 * The soak: rounds of events and blows on one local AWS whose tables are on disk, and then the books.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../lambda/core/inbox-key.ts';
import type { LocalAws } from '../local/local-aws.ts';
import { type Audit, audit } from './audit.ts';
import { type Books, readBooks } from './books.ts';
import { createChance } from './chance.ts';
import { type Clients, createClients } from './clients.ts';
import { createTally, deliver, type Tally } from './deliver.ts';
import { drain } from './drain.ts';
import { startSweeping } from './outage.ts';
import { type Outside, startOutside } from './outside.ts';
import { type PlannedEvent, planRun, type Size } from './plan.ts';
import { noteSentMessages } from './sent-messages.ts';
import { startDemoAws } from './start.ts';
import { planBlows, strike } from './storm.ts';

/** One storm. */
export interface Round {
  /** Replays this round alone. */
  readonly seed: string;
  readonly seconds: number;
  /** Requests that were sent again because they were not acknowledged. */
  readonly retries: number;
}

/** What all events and messages so far have come to. */
export interface Reckoning {
  readonly audit: Audit;
  /** What is wrong; empty when nothing is. */
  readonly problems: readonly string[];
}

export interface EnduranceOptions {
  readonly rounds: number;
  readonly seed: string;
  readonly signal: AbortSignal;
  /** Waits after each round until everything is worked off, and looks at the books; else after the last one. */
  readonly reckonEachRound: boolean;
  readonly onRound?: (round: Round, reckoning: Reckoning | undefined) => void;
}

const SIZE: Size = { events: 12, crashesARow: 0, zombies: 0, hopeless: 1, refused: 0, failingConsumers: 0 };

/** What a killed process had in hand comes back when its lease is over. */
const SCALE = { consumerSeconds: 6, outboxHiddenSeconds: 7, eventsHiddenSeconds: 4 };
const MAX_ATTEMPTS = 4;
/** In each part of a round; the parts overlap. */
const AT_ONCE = 1;
/** Of each function: after every kill, so many start again. */
const MAX_INSTANCES = 5;

/** DynamoDB is away for a few seconds, and on a slow machine for more. */
const PATIENCE_MS = 60_000;
const DRAIN_MS = 90_000;

/** @returns `undefined` when it was stopped, else the first reckoning with a problem, or the last one. */
export async function endure(options: EnduranceOptions): Promise<Reckoning | undefined> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'oncehook-soak-'));
  const outside = await startOutside();
  try {
    const aws = await startDemoAws({
      dataDirectory,
      scale: SCALE,
      maxAttempts: MAX_ATTEMPTS,
      pool: { maxInstances: MAX_INSTANCES },
    });
    const clients = createClients(aws);
    const endSweeping = startSweeping(aws);
    try {
      return await runRounds(options, createSoak(aws, clients, outside, options.signal));
    } finally {
      await endSweeping();
      clients.destroy();
      await aws.stop();
    }
  } finally {
    await outside.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function runRounds(
  { rounds, seed, signal, reckonEachRound, onRound = () => {} }: EnduranceOptions,
  { storm, reckon }: Soak,
): Promise<Reckoning | undefined> {
  let reckoning: Reckoning | undefined;
  for (let n = 1; n <= rounds; n += 1) {
    const round = await storm(n === 1 ? seed : `${seed}/${n}`);
    reckoning = reckonEachRound || n === rounds ? await reckon() : undefined;
    if (signal.aborted) return undefined;
    onRound(round, reckoning);
    // What is lost stays lost: the later rounds would say no more.
    if (reckoning !== undefined && reckoning.problems.length > 0) break;
  }
  return reckoning;
}

interface Soak {
  storm(seed: string): Promise<Round>;
  /** When everything is worked off. */
  reckon(): Promise<Reckoning>;
}

function createSoak(aws: LocalAws, clients: Clients, outside: Outside, signal: AbortSignal): Soak {
  const sent = noteSentMessages();
  aws.gateway.faults.use(sent.source);
  const events: PlannedEvent[] = [];
  const tallies: Tally[] = [];
  /** Messages of the dead-letter queue are read once. */
  const parked = new Map<string, number>();

  return {
    async storm(seed) {
      const begun = Date.now();
      const chance = createChance(seed);
      const plan = planRun(chance, SIZE, `${sha256Hex(seed).slice(0, 8)}_`);
      const tally = createTally();
      events.push(...plan.events);
      tallies.push(tally);

      const blows = planBlows(chance);
      const sendings: Promise<void>[] = [];
      for (const [n, blow] of blows.entries()) {
        const part = plan.deliveries.filter((_, place) => place % blows.length === n);
        sendings.push(
          deliver(part, tally, {
            apiUrl: aws.apiUrl,
            secrets: aws.secrets,
            outside: outside.url,
            atOnce: AT_ONCE,
            patienceMs: PATIENCE_MS,
            chance,
            signal,
          }),
        );
        await strike(aws, blow);
      }
      await Promise.all(sendings);
      return { seed, seconds: (Date.now() - begun) / 1000, retries: tally.retries };
    },

    async reckon() {
      const isDrained = await drain(aws, clients, { limitMs: DRAIN_MS, signal });
      const books = await readBooks(aws, clients, { sent: sent.bodies, outsideCalls: outside.calls });
      for (const [key, count] of books.parked) parked.set(key, count + (parked.get(key) ?? 0));
      const found = audit(events, { ...books, parked } satisfies Books);
      const givenUp = tallies.reduce((sum, tally) => sum + tally.givenUp, 0);
      return {
        audit: found,
        problems: [
          ...(isDrained ? [] : [`something was still on its way after ${DRAIN_MS / 1000} s`]),
          ...(givenUp === 0 ? [] : [`${givenUp} copies were never acknowledged`]),
          ...found.violations,
        ],
      };
    },
  };
}
