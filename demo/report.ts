import type { FaultCounts } from '../local/faults/fault.ts';
import type { Audit } from './audit.ts';
import { CRASH_ROWS, type CrashRow } from './crash-rows.ts';
import type { Tally } from './deliver.ts';

/** The last line of a run, for machines. */
export interface Summary {
  readonly deliveries: number;
  readonly events: number;
  readonly processed: number;
  readonly duplicates: number;
  readonly inProgress: number;
  readonly crashes: number;
  readonly retries: number;
  readonly doubleCredits: number;
  readonly lostCredits: number;
  readonly violations: number;
  readonly seed: string;
}

export interface Run {
  readonly seed: string;
  readonly events: number;
  readonly seconds: number;
  readonly tally: Tally;
  readonly crashes: ReadonlyMap<CrashRow, number>;
  readonly zombies: number;
  readonly injected: FaultCounts;
  readonly audit: Audit;
  /** What the run itself promised and did not do. */
  readonly shortcomings: readonly string[];
}

/** Violations shown in full; a broken guard has hundreds. */
const SHOWN_VIOLATIONS = 12;

export function summarise({ seed, events, tally, crashes, audit, shortcomings }: Run): Summary {
  const answers = (outcome: string): number => tally.outcomes.get(outcome) ?? 0;
  return {
    deliveries: tally.deliveries,
    events,
    processed: answers('processed'),
    duplicates: answers('duplicate'),
    inProgress: answers('in-progress'),
    crashes: [...crashes.values()].reduce((sum, count) => sum + count, 0),
    retries: tally.retries,
    doubleCredits: audit.doubleCredits,
    lostCredits: audit.lostCredits,
    violations: audit.violations.length + shortcomings.length,
    seed,
  };
}

/** The table for people, and then the summary as the last line. */
export function printRun(run: Run, say: (line: string) => void): void {
  const { tally, audit } = run;
  const table = (title: string, rows: readonly (readonly [string, number])[]): void => {
    say(`\n${title}`);
    for (const [name, count] of rows) say(`  ${name.padEnd(40)} ${String(count).padStart(6)}`);
  };
  table(
    'Answers',
    [...tally.outcomes].toSorted(([, one], [, other]) => other - one),
  );
  table(
    'Processes killed',
    CRASH_ROWS.map((row) => [row, run.crashes.get(row) ?? 0] as const),
  );
  table('Other faults', [
    ...Object.entries(run.injected).filter(([kind]) => !kind.startsWith('kill')),
    ['commits held back past their lease', run.zombies],
  ]);
  table('Books', [
    ['events', run.events],
    ['copies acknowledged', tally.acknowledged],
    ['copies given up', tally.givenUp],
    ['double credits', audit.doubleCredits],
    ['lost credits', audit.lostCredits],
    ['violations', audit.violations.length],
  ]);
  const problems = [...run.shortcomings, ...audit.violations];
  for (const problem of problems.slice(0, SHOWN_VIOLATIONS)) say(`  ! ${problem}`);
  if (problems.length > SHOWN_VIOLATIONS) say(`  ! and ${problems.length - SHOWN_VIOLATIONS} more`);
  say(
    `\n${problems.length === 0 ? 'Every event was applied exactly once.' : 'NOT every event was applied exactly once.'} ${run.seconds.toFixed(0)} s`,
  );
  say(JSON.stringify(summarise(run)));
}
