import type { FaultCounts } from '../local/faults/fault.ts';
import type { MappingFaultCounts } from '../local/mappings/mapping-faults.ts';
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
  readonly queued: number;
  readonly crashes: number;
  readonly retries: number;
  readonly doubleCredits: number;
  readonly lostCredits: number;
  readonly parked: number;
  readonly lostEvents: number;
  readonly emitted: number;
  readonly consumed: number;
  readonly consumerDuplicates: number;
  readonly doubleConsumed: number;
  readonly lostMessages: number;
  readonly violations: number;
  readonly seed: string;
}

export interface Run {
  readonly seed: string;
  readonly events: number;
  readonly seconds: number;
  readonly tally: Tally;
  /** Kills that were planned, by where. */
  readonly crashes: ReadonlyMap<CrashRow, number>;
  /** All kills, by function. */
  readonly killed: ReadonlyMap<string, number>;
  readonly zombies: number;
  readonly refusals: number;
  readonly injected: FaultCounts;
  readonly mappingFaults: MappingFaultCounts;
  /** Messages to the outbox queue by the function that sent them, repeated and refused ones too. */
  readonly sentBy: ReadonlyMap<string, number>;
  /** Messages that came to the consumer when they were consumed already. */
  readonly consumerDuplicates: number;
  readonly audit: Audit;
  /** What the run itself promised and did not do. */
  readonly shortcomings: readonly string[];
}

/** Violations shown in full; a broken guard has hundreds. */
const SHOWN_VIOLATIONS = 12;

export function summarise({ seed, events, tally, crashes, consumerDuplicates, audit, shortcomings }: Run): Summary {
  const answers = (outcome: string): number => tally.outcomes.get(outcome) ?? 0;
  return {
    deliveries: tally.deliveries,
    events,
    processed: answers('processed'),
    duplicates: answers('duplicate'),
    inProgress: answers('in-progress'),
    queued: answers('queued'),
    crashes: [...crashes.values()].reduce((sum, count) => sum + count, 0),
    retries: tally.retries,
    doubleCredits: audit.doubleCredits,
    lostCredits: audit.lostCredits,
    parked: audit.parked,
    lostEvents: audit.lostEvents,
    emitted: audit.emitted,
    consumed: audit.consumed,
    consumerDuplicates,
    doubleConsumed: audit.doubleConsumed,
    lostMessages: audit.lostMessages,
    violations: audit.violations.length + shortcomings.length,
    seed,
  };
}

/** The table for people, and then the summary as the last line. */
export function printRun(run: Run, say: (line: string) => void): void {
  const { tally, audit } = run;
  const table = (title: string, rows: readonly (readonly [string, number])[]): void => {
    say(`\n${title}`);
    for (const [name, count] of rows) say(`  ${name.padEnd(48)} ${String(count).padStart(6)}`);
  };
  table(
    'Answers',
    [...tally.outcomes].toSorted(([, one], [, other]) => other - one),
  );
  table(
    'Processes killed, by the line of the crash table',
    CRASH_ROWS.map((row) => [row, run.crashes.get(row) ?? 0] as const),
  );
  table('Processes killed, by function', [...run.killed].toSorted());
  table('Other faults', [
    ...Object.entries(run.injected).filter(([kind]) => !kind.startsWith('kill')),
    ['commits held back past their lease', run.zombies],
    ['events refused by the events queue', run.refusals],
    ['reads of a stream or queue that failed', run.mappingFaults['read-fails']],
    ['batches given to a function twice', run.mappingFaults['batch-repeats']],
    ['finished messages that were not deleted', run.mappingFaults['delete-fails']],
  ]);
  table('Events', [
    ['sent', run.events],
    ['committed', audit.emitted],
    ['parked, in the dead-letter queue', audit.parked],
    ['lost', audit.lostEvents],
    ['copies acknowledged', tally.acknowledged],
    ['copies given up', tally.givenUp],
    ['double credits', audit.doubleCredits],
    ['lost credits', audit.lostCredits],
  ]);
  table('Messages', [
    ['emitted, one with each commit', audit.emitted],
    ...[...run.sentBy].toSorted().map(([name, count]) => [`sent to the outbox queue by ${name}`, count] as const),
    ['consumed', audit.consumed],
    ['duplicates that the consumer recognised', run.consumerDuplicates],
    ['consumed twice', audit.doubleConsumed],
    ['lost', audit.lostMessages],
  ]);
  const problems = [...run.shortcomings, ...audit.violations];
  say('');
  for (const problem of problems.slice(0, SHOWN_VIOLATIONS)) say(`  ! ${problem}`);
  if (problems.length > SHOWN_VIOLATIONS) say(`  ! and ${problems.length - SHOWN_VIOLATIONS} more`);
  say(
    problems.length === 0
      ? `Every event was applied exactly once or is parked, and every message was consumed exactly once. ${run.seconds.toFixed(0)} s`
      : `NOT every event and message was applied exactly once, or the run proved too little: ${problems.length} problems. ${run.seconds.toFixed(0)} s`,
  );
  say(JSON.stringify(summarise(run)));
}
