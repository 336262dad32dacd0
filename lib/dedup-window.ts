import type { Sources } from './declarations.ts';

const MS_PER_DAY = 86_400_000;

/** Long enough to look into a failure after a weekend and a holiday, and cheap to store. */
const SHORTEST_DEFAULT_DAYS = 14;

/** How long an applied event is remembered: whole days, or for ever. */
export type DedupWindowDays = number | 'forever';

/**
 * The window when none is set: 14 days, or twice the longest time over which a source may send
 * an event again, whichever is larger. In whole days, rounded up.
 */
export function defaultDedupWindowDays(sources: Sources): number {
  const horizons = [...sources.values()].map((source) => source.provider.retryHorizon);

  return Math.max(SHORTEST_DEFAULT_DAYS, ...horizons.map((horizon) => Math.ceil((2 * horizon) / MS_PER_DAY)));
}

/**
 * One line for each source that may send an event again after it was forgotten, which would
 * apply it twice.
 */
export function windowProblems(windowDays: DedupWindowDays, sources: Sources): readonly string[] {
  if (windowDays === 'forever') return [];

  return [...sources.values()]
    .filter((source) => source.provider.retryHorizon > windowDays * MS_PER_DAY)
    .map(
      (source) =>
        `dedupWindowDays is ${daysText(windowDays)}, but source "${source.name}" (${source.provider.name}) may send an ` +
        `event again for ${daysText(source.provider.retryHorizon / MS_PER_DAY)}: it would be applied twice. ` +
        `Set at least ${Math.ceil(source.provider.retryHorizon / MS_PER_DAY)}, or leave it out.`,
    );
}

/** Rounded up to hundredths, so that a longer time never reads as an equal one. */
const daysText = (days: number): string => `${Math.ceil(days * 100) / 100} ${days === 1 ? 'day' : 'days'}`;
