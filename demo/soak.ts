/**
 * `npm run soak`: kills functions, pollers and DynamoDB again and again, and looks whether anything is lost.
 */
import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { Problem } from '../local/problem.ts';
import { endure } from './endure.ts';

const { seed, rounds } = readOptions();
const stopping = new AbortController();
process.on('SIGINT', () => stopping.abort());
process.on('SIGTERM', () => stopping.abort());

try {
  console.log(`seed ${seed}: ${rounds} rounds`);
  let lastSeed = seed;
  const reckoning = await endure({
    rounds,
    seed,
    reckonEachRound: true,
    signal: stopping.signal,
    onRound({ seed: own, seconds, retries }, found) {
      lastSeed = own;
      const { emitted = 0, parked = 0, consumed = 0 } = found?.audit ?? {};
      console.log(
        `seed ${own}: ${found?.problems.length ?? 0} problems, ${seconds.toFixed(0)} s, ${retries} redeliveries; so far ${emitted} events committed, ${parked} parked, ${consumed} messages consumed`,
      );
      for (const problem of found?.problems ?? []) console.log(`  ! ${problem}`);
    },
  });
  if (reckoning === undefined) {
    console.log('stopped');
    process.exitCode = 130;
  } else if (reckoning.problems.length === 0) {
    console.log('Nothing was lost, and nothing applied twice.');
  } else {
    console.log(`NOT everything was applied exactly once. Again with: --seed ${lastSeed} --rounds 1`);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(`oncehook: ${error.message}`);
  process.exitCode = 1;
}

interface Options {
  readonly seed: string;
  readonly rounds: number;
}

function readOptions(): Options {
  const wholeNumber = (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < 1 || number > 10_000) {
      throw new InvalidArgumentError('a whole number from 1 to 10000.');
    }
    return number;
  };
  return new Command('npm run soak --')
    .description('Kills functions, pollers and DynamoDB at random moments, and looks whether anything is lost.')
    .option('--seed <text>', 'replay the plan of a run, or with --rounds 1 of a round', randomBytes(4).toString('hex'))
    .option('--rounds <n>', 'how many rounds', wholeNumber, 20)
    .addHelpText('after', '\nExit codes: 0 nothing was lost or applied twice, 1 something was, 130 stopped.')
    .parse()
    .opts<Options>();
}
