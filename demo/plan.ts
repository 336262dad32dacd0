import type { Chance } from './chance.ts';
import { CRASH_ROWS, type CrashRow, NEEDS_FAILURE, NEEDS_INLINE, NEEDS_STEP } from './crash-rows.ts';
import { withFailingConsumer } from './failing-consumer.ts';

export type DemoSource = 'stripe' | 'github' | 'bazaar';

/** One event that a provider will send, and what is to befall it. */
export interface PlannedEvent {
  readonly source: DemoSource;
  /** Unique in the run, whatever the source. */
  readonly id: string;
  readonly account: string;
  /** Minor units; for GitHub the number of commits. */
  readonly amount: number;
  /** How often the provider sends it of its own accord. */
  readonly copies: number;
  /** Attempts of the handler that throw; {@link ALWAYS} for one that never works. */
  readonly failures: number;
  /** How often the events queue refuses it before it takes it. */
  readonly refusals: number;
  /** Where the process that works on it is killed, once. */
  readonly crash: CrashRow | undefined;
  /** Whether its first commit is held back until the claim has ended and another worker has taken over. */
  readonly zombie: boolean;
}

export interface Plan {
  readonly events: readonly PlannedEvent[];
  /** Every copy of every event, shuffled. */
  readonly deliveries: readonly PlannedEvent[];
}

/** How large a run is. */
export interface Size {
  readonly events: number;
  /** Events that crash at each row of the crash table. */
  readonly crashesARow: number;
  /** Events whose first commit is held back past their lease. */
  readonly zombies: number;
  /** Events whose handler fails at every attempt. */
  readonly hopeless: number;
  /** Events that the events queue refuses, more often than their provider sends them of its own accord. */
  readonly refused: number;
  /** Events whose message the consumer fails at the first attempt. */
  readonly failingConsumers: number;
}

/** More than any event is tried, over all copies. */
export const ALWAYS = 1_000_000;

/** Fewer events could not hold the crashes. */
export const LEAST_EVENTS = 300;

/** A few more crashes a row than the ten that are promised, for those another fault gets to first. */
export const fullSize = (events: number): Size => ({
  events,
  crashesARow: 13,
  zombies: 12,
  hopeless: 10,
  refused: 8,
  failingConsumers: 18,
});

const MOST_COPIES = 6;
/** What takes long takes it once for each copy. */
const MOST_COPIES_OF_SLOW = 2;
const ACCOUNTS_A_SOURCE = 15;
const MOST_FAILURES = 3;
const ID_PREFIXES: Readonly<Record<DemoSource, string>> = { stripe: 'evt', github: 'push', bazaar: 'slip' };
const SOURCES: readonly DemoSource[] = ['stripe', 'github', 'bazaar'];

/**
 * The same plan for the same seed and size.
 *
 * @param mark What tells its events' ids from those of other plans.
 */
export function planRun(chance: Chance, size: Size, mark = ''): Plan {
  const fates = fatesOf(size);
  const order = chance.shuffle(
    fates.map((_, n) => n),
    'fates',
  );
  const planned = order.map((fate, n) =>
    planEvent(chance, { n, mark, consumerFails: n < size.failingConsumers }, fates[fate] ?? {}),
  );
  const deliveries = planned
    .flatMap(({ event, isSlow }) => Array.from({ length: event.copies }, () => ({ event, isSlow })))
    // What takes long begins early, or the whole run would wait for it.
    .map(({ event, isSlow }, n) => ({ event, place: chance.of('deliveries', n) * (isSlow ? 0.4 : 1) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ event }) => event);
  return { events: planned.map(({ event }) => event), deliveries };
}

interface Fate {
  readonly crash?: CrashRow;
  readonly zombie?: boolean;
  readonly hopeless?: boolean;
  readonly refused?: boolean;
}

function fatesOf(size: Size): readonly Fate[] {
  const times = (count: number, fate: Fate): readonly Fate[] => Array.from({ length: count }, () => fate);
  const chosen = [
    ...CRASH_ROWS.flatMap((crash) => times(size.crashesARow, { crash })),
    ...times(size.zombies, { zombie: true }),
    ...times(size.hopeless, { hopeless: true }),
    ...times(size.refused, { refused: true }),
  ];
  return [...chosen, ...times(size.events - chosen.length, {})];
}

function planEvent(
  chance: Chance,
  { n, mark, consumerFails }: { readonly n: number; readonly mark: string; readonly consumerFails: boolean },
  fate: Fate,
): { readonly event: PlannedEvent; readonly isSlow: boolean } {
  const { crash, zombie = false, hopeless = false, refused = false } = fate;
  const source = sourceOf(n, fate);
  const id = `${ID_PREFIXES[source]}_${mark}${String(n).padStart(5, '0')}`;
  const copies = chance.between(1, hopeless || refused ? MOST_COPIES_OF_SLOW : MOST_COPIES, 'copies', n);
  const event: PlannedEvent = {
    source,
    id: consumerFails ? withFailingConsumer(id) : id,
    account: accountOf(source, chance.between(1, ACCOUNTS_A_SOURCE, 'account', n)),
    amount: source === 'github' ? chance.between(1, 20, 'amount', n) : chance.between(1, 100_000, 'amount', n),
    copies,
    failures: failuresOf(chance, n, fate),
    // Each delivery sends it twice at most: once, and once more when the answer was an error.
    refusals: refused ? 2 * copies + 1 : 0,
    crash,
    zombie,
  };
  // A queued event whose process was killed is hidden for six time-outs.
  return { event, isSlow: hopeless || consumerFails || (source === 'github' && crash !== undefined) };
}

function sourceOf(n: number, { crash, refused = false }: Fate): DemoSource {
  if (refused) return 'github';
  if (crash !== undefined && NEEDS_STEP.includes(crash)) return 'bazaar';
  if (crash !== undefined && NEEDS_INLINE.includes(crash)) return n % 2 === 0 ? 'stripe' : 'bazaar';
  return SOURCES[n % SOURCES.length] ?? 'stripe';
}

function failuresOf(chance: Chance, n: number, { crash, zombie, hopeless, refused }: Fate): number {
  if (hopeless === true) return ALWAYS;
  if (crash !== undefined) return NEEDS_FAILURE.includes(crash) ? 1 : 0;
  if (zombie === true || refused === true) return 0;
  return chance.of('fails', n) < 0.15 ? chance.between(1, MOST_FAILURES, 'failures', n) : 0;
}

const accountOf = (source: DemoSource, n: number): string =>
  ({ stripe: `cus_${n}`, github: `repo:demo/repository-${n}`, bazaar: `merchant-${n}` })[source];
