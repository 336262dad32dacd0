import type { Chance } from './chance.ts';
import { CRASH_ROWS, type CrashRow, NEEDS_FAILURE, NEEDS_STEP } from './crash-rows.ts';

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
  /** Whether the handler's first attempt throws. */
  readonly failsFirst: boolean;
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
}

/** Fewer events could not hold the crashes. */
export const LEAST_EVENTS = 300;

/** A few more crashes a row than the ten that are promised, for those another fault gets to first. */
export const fullSize = (events: number): Size => ({ events, crashesARow: 13, zombies: 12 });

const MOST_COPIES = 6;
const ACCOUNTS_A_SOURCE = 15;
const ID_PREFIXES: Readonly<Record<DemoSource, string>> = { stripe: 'evt', github: 'push', bazaar: 'slip' };
const SOURCES: readonly DemoSource[] = ['stripe', 'github', 'bazaar'];

/** The same plan for the same seed and size. */
export function planRun(chance: Chance, size: Size): Plan {
  const fates = fatesOf(size);
  const order = chance.shuffle(
    fates.map((_, n) => n),
    'fates',
  );
  const events = order.map((fate, n) => planEvent(chance, n, fates[fate] ?? {}));
  const copies = events.flatMap((event) => Array.from({ length: event.copies }, () => event));
  return { events, deliveries: chance.shuffle(copies, 'deliveries') };
}

interface Fate {
  readonly crash?: CrashRow;
  readonly zombie?: boolean;
}

function fatesOf({ events, crashesARow, zombies: zombieCount }: Size): readonly Fate[] {
  const crashes = CRASH_ROWS.flatMap((crash) => Array.from({ length: crashesARow }, (): Fate => ({ crash })));
  const zombies = Array.from({ length: zombieCount }, (): Fate => ({ zombie: true }));
  const chosen = [...crashes, ...zombies];
  return [...chosen, ...Array.from({ length: events - chosen.length }, (): Fate => ({}))];
}

function planEvent(chance: Chance, n: number, { crash, zombie = false }: Fate): PlannedEvent {
  const source = crash !== undefined && NEEDS_STEP.includes(crash) ? 'bazaar' : SOURCES[n % SOURCES.length];
  if (source === undefined) throw new RangeError('no source');
  const failsFirst = crash === undefined ? !zombie && chance.of('fails', n) < 0.1 : NEEDS_FAILURE.includes(crash);
  return {
    source,
    id: `${ID_PREFIXES[source]}_${String(n).padStart(5, '0')}`,
    account: accountOf(source, chance.between(1, ACCOUNTS_A_SOURCE, 'account', n)),
    amount: source === 'github' ? chance.between(1, 20, 'amount', n) : chance.between(1, 100_000, 'amount', n),
    copies: chance.between(1, MOST_COPIES, 'copies', n),
    failsFirst,
    crash,
    zombie,
  };
}

const accountOf = (source: DemoSource, n: number): string =>
  ({ stripe: `cus_${n}`, github: `repo:demo/repository-${n}`, bazaar: `merchant-${n}` })[source];
