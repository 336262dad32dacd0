import { type Command, InvalidArgumentError } from 'commander';
import { type DurationMs, days, hours, seconds } from '../../core/time.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { knownSource } from '../known-source.ts';
import { readStats, type Stats } from '../stats.ts';
import { openPlace, type PlaceOptions, withPlaceOptions } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';

interface StatsOptions extends PlaceOptions {
  readonly last: DurationMs;
  readonly source?: string;
}

export function addStatsCommand(program: Command, surroundings: Surroundings, end: (code: ExitCode) => void): void {
  withPlaceOptions(program.command('stats'), 'one JSON object')
    .summary('dedup hits and the other counts of a period')
    .description('Counts of a period from CloudWatch: duplicates first.')
    .option('--last <period>', 'how far back: 30m, 24h, 7d', readPeriod, hours(24))
    .option('--source <source>', 'of one source (default: of all together)')
    .addHelpText('after', HELP)
    .action(async (options: StatsOptions) => end(await runStats(options, surroundings)));
}

const HELP = `
CloudWatch shows what happened a minute or two ago at the earliest, and keeps the metrics of all Oncehook stacks
of an account and Region together.

Exit codes:
  0  done
  1  refused

Examples:
  npx oncehook stats
  npx oncehook stats --last 1h --source stripe --stack Oncehook-prod
  npx oncehook stats --last 7d --stack Oncehook-prod --json`;

const UNITS: Readonly<Record<string, DurationMs>> = { m: seconds(60), h: hours(1), d: days(1) };

/** As long as CloudWatch keeps any data point. */
const LONGEST = days(455);

function readPeriod(text: string): DurationMs {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const period = seconds((Number(count) * (UNITS[unit] ?? 0)) / 1000);
  if (period > 0 && period <= LONGEST) return period;
  throw new InvalidArgumentError('It is a number of minutes, hours or days up to 455d, such as 30m, 24h, 7d.');
}

async function runStats(options: StatsOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, clock } = surroundings;
  const { source } = options;
  if (source !== undefined) knownSource(await surroundings.loadSources(), source);
  const deployment = await openPlace(options, surroundings);
  const stats = await readStats(await deployment.metrics(), clock, source, options.last);
  if (options.json === true) terminal.print(JSON.stringify(asJson(stats, source)));
  else for (const line of asText(stats, source)) terminal.print(line);
  return EXIT.done;
}

const asJson = ({ from, to, stats, duplicateRate }: Stats, source: string | undefined) => ({
  source: source ?? null,
  from,
  to,
  duplicateRate: duplicateRate ?? null,
  metrics: Object.fromEntries(stats.map(({ name, value }) => [name, value ?? null])),
});

function asText({ from, to, stats, duplicateRate }: Stats, source: string | undefined): readonly string[] {
  const width = Math.max(...stats.map(({ name }) => name.length));
  return [
    `${source ?? 'all sources'}, ${from} to ${to}`,
    ...stats.map(({ name, kind, value }, n) => {
      const shown = (value === undefined ? '-' : String(value)).padStart(10);
      const rate = n === 0 && duplicateRate !== undefined ? `  ${duplicateRate.toFixed(1)} % of received` : '';
      return `${name.padEnd(width)}  ${shown}${rate}${kind === 'highest' ? '  highest' : ''}`;
    }),
  ];
}
