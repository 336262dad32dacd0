import type { Command } from 'commander';
import type { Finding } from '../checks/check.ts';
import { examine } from '../doctor.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { knownSource } from '../known-source.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import { openPlace, type PlaceOptions, withPlaceOptions } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';

interface DoctorOptions extends PlaceOptions {
  readonly probes: boolean;
  readonly probe?: string;
  readonly probeType?: string;
}

export function addDoctorCommand(program: Command, surroundings: Surroundings, end: (code: ExitCode) => void): void {
  withPlaceOptions(program.command('doctor'), 'one JSON object a line')
    .summary('look for what is wrong with a deployment')
    .description('Looks at a deployment and says, a line a check, what is right and what is wrong with it.')
    .option('--no-probes', 'send no delivery')
    .option('--probe <source>', 'also send a signed event through the handler of a source of its own, twice')
    .option('--probe-type <type>', 'its event type')
    .addHelpText('after', HELP)
    .action(async (options: DoctorOptions) => end(await runDoctor(options, surroundings)));
}

const HELP = `
Probes are deliveries to the API: to a source that does not exist (404), to each source with a wrong signature
(401), and to each with a true signature and a type that no handler takes (ignored). None of them writes
anything; the receiver counts them as rejected and received. --probe runs a handler: give it a source that you
made for this.

Exit codes:
  0  nothing failed; what is marked warn works, and somebody should look
  1  something failed or could not be looked at, or bad input

Examples:
  npx oncehook doctor
  npx oncehook doctor --stack Oncehook-prod --no-probes --json
  npx oncehook doctor --stack Oncehook-dev --probe probe --probe-type probe.sent`;

async function runDoctor(options: DoctorOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal } = surroundings;
  const sources = await surroundings.loadSources();
  const { probe, probeType: type, probes } = options;
  if ((probe === undefined) !== (type === undefined)) throw new Refusal('--probe and --probe-type go together');
  if (probe !== undefined && !probes) throw new Refusal('--probe sends a delivery, and --no-probes forbids it');
  const handled = probe === undefined || type === undefined ? undefined : { source: knownSource(sources, probe), type };
  const deployment = await openPlace(options, surroundings);

  const counts = { ok: 0, warn: 0, fail: 0 };
  for await (const findings of examine({ ...surroundings, deployment, sources }, { probes, handled })) {
    for (const finding of findings) {
      counts[finding.verdict] += 1;
      terminal.print(options.json === true ? JSON.stringify(finding) : asText(finding));
    }
  }
  terminal.note(`${counts.ok} ok, ${counts.warn} warn, ${counts.fail} fail`);
  return counts.fail === 0 ? EXIT.done : EXIT.refused;
}

const asText = ({ check, verdict, detail }: Finding): string => printable(`${verdict.padEnd(4)}  ${check}: ${detail}`);
