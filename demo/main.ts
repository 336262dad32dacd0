/**
 * `npm run demo`: the proof run for people.
 */
import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Problem } from '../local/problem.ts';
import { GUARDS, type Guard } from './guards.ts';
import { fullSize, LEAST_EVENTS } from './plan.ts';
import { startProgress } from './progress.ts';
import { prove } from './prove.ts';
import { printRun, summarise } from './report.ts';

/** As many as a provider may send at a time; each needs an instance. */
const AT_ONCE = 16;

/** Longer than the four seconds of a lease, whoever else gets to the event first. */
const HELD_MS = 7500;

/** Long enough for several leases one after another. */
const PATIENCE_MS = 45_000;

/** Without a guard much is never acknowledged, and every copy of it would be waited for. */
const PATIENCE_WITHOUT_GUARD_MS = 6000;

const LEAST_CRASHES = 10;

/** The sweep leaves a message to the stream for five seconds; what was sent within the first three is swept. */
const OUTAGE = { afterMs: 6000, forMs: 8000 };

/** Leaves room for a batch of ten, some of which meet a fault, on a slow machine. */
const SCALE = { consumerSeconds: 12, outboxHiddenSeconds: 15 };

/** One more than any event needs that is not hopeless, if nothing else befalls it. */
const MAX_ATTEMPTS = 5;

/** A killed process of work hides its event for 18 s, and some are hit more than once. */
const DRAIN_MS = 90_000;

/** Without a guard much is never worked off. */
const DRAIN_WITHOUT_GUARD_MS = 45_000;

interface Options {
  readonly seed: string;
  readonly events: number;
  readonly break?: Guard;
}

const { seed, events, break: without } = readOptions();
const stopping = new AbortController();
process.on('SIGINT', () => stopping.abort());
process.on('SIGTERM', () => stopping.abort());

try {
  const run = await prove({
    seed,
    size: fullSize(events),
    without: without === undefined ? [] : [without],
    atOnce: AT_ONCE,
    heldMs: HELD_MS,
    patienceMs: without === undefined ? PATIENCE_MS : PATIENCE_WITHOUT_GUARD_MS,
    outage: OUTAGE,
    scale: SCALE,
    maxAttempts: MAX_ATTEMPTS,
    drainMs: without === undefined ? DRAIN_MS : DRAIN_WITHOUT_GUARD_MS,
    leastCrashes: without === undefined ? LEAST_CRASHES : 0,
    signal: stopping.signal,
    onStage: console.log,
    onDeliveries: (look) =>
      startProgress(() => {
        const { plan, tally, crashes, backlog } = look();
        const onTheWay =
          backlog === undefined
            ? ''
            : `, ${backlog.events} events and ${backlog.owed + backlog.outbox} messages on their way`;
        return {
          done: tally.acknowledged + tally.givenUp,
          of: plan.deliveries.length,
          note: `${crashes} crashes, ${tally.retries} redeliveries${onTheWay}`,
        };
      }),
  });
  if (run === undefined) {
    console.log('stopped');
    process.exitCode = 130;
  } else {
    printRun(run, console.log);
    process.exitCode = summarise(run).violations === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(`oncehook: ${error.message}`);
  process.exitCode = 1;
}

function readOptions(): Options {
  const wholeNumber = (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < LEAST_EVENTS || number > 100_000) {
      throw new InvalidArgumentError(`a whole number from ${LEAST_EVENTS} to 100000.`);
    }
    return number;
  };
  return new Command('npm run demo --')
    .description(
      'Proves that each event is applied exactly once and each message consumed exactly once, by trying hard to make it otherwise.',
    )
    .option(
      '--seed <text>',
      'replay the plan of a run; the last line of each names its seed',
      randomBytes(4).toString('hex'),
    )
    .option('--events <n>', `how many events, at least ${LEAST_EVENTS}`, wholeNumber, LEAST_EVENTS)
    .addOption(new Option('--break <guard>', 'take one guard out of the code, to see the run notice').choices(GUARDS))
    .addHelpText(
      'after',
      `
Exit codes: 0 every event was applied once or is parked, 1 it was not, 130 stopped.

Examples:
  npm run demo
  npm run demo -- --seed 1f2e3d4c
  npm run demo -- --events 1000
  npm run demo -- --break fence`,
    )
    .parse()
    .opts<Options>();
}
