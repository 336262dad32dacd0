import type { Command } from 'commander';
import { decodeSecret } from '../../providers/secret-key.ts';
import { chooseTarget, type Target } from '../delivery/choose-target.ts';
import { prepareDelivery } from '../delivery/prepare-delivery.ts';
import { createJsonReport, createTextReport } from '../delivery/report-answers.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { knownSource } from '../known-source.ts';
import { Refusal } from '../refusal.ts';
import { describeProblem, readSecret } from '../secret/new-secret.ts';
import { send } from '../send.ts';
import { requireSignable, type SignableSource } from '../signable-source.ts';
import type { Surroundings } from './surroundings.ts';
import { wholeNumber } from './whole-number.ts';

/** More copies of one event prove nothing more. */
const MAX_TIMES = 100_000;

/** As many connections as a shell may usually have open, and more than any function here serves at once. */
const MAX_CONCURRENCY = 256;

/** With the longest pause, half an hour and more. */
const MAX_RETRIES = 20;

interface SendOptions {
  readonly times: number;
  readonly concurrency: number;
  readonly id?: string;
  readonly file?: string;
  readonly url?: string;
  readonly secretStdin?: true;
  readonly tamper?: true;
  readonly retry: number;
  readonly json?: true;
}

export function addSendCommand(program: Command, surroundings: Surroundings, end: (code: ExitCode) => void): void {
  program
    .command('send')
    .summary('sign an event as its provider would, and send it')
    .description(
      'Signs a sample, or your own payload, as the provider of the source would, and sends it. All copies\n' +
        'are one event: the same id and body, each signed anew.',
    )
    .argument('<source>', 'a source of lambda/handlers/sources.ts')
    .argument('<type>', 'event type, such as invoice.paid')
    .option('--times <n>', 'how many copies', wholeNumber(1, MAX_TIMES), 1)
    .option('--concurrency <n>', 'how many at once', wholeNumber(1, MAX_CONCURRENCY), 1)
    .option('--id <id>', 'event id (default: a fresh one)')
    .option('--file <body>', 'send the bytes of this file as they are; - reads standard input')
    .option('--url <url>', 'the webhook URL (default: of the local AWS that runs)')
    .option('--secret-stdin', 'read the signing secret from standard input')
    .option('--tamper', 'change one byte after signing: every answer should be 401')
    .option('--retry <n>', 'send a copy again, up to n times, until it succeeds', wholeNumber(0, MAX_RETRIES), 0)
    .option('--json', 'one JSON object a line: the answers, then a summary')
    .addHelpText('after', HELP)
    .action(async (source: string, type: string, options: SendOptions) =>
      end(await runSend(source, type, options, surroundings)),
    );
}

const HELP = `
The secret is never an argument, which other users of the machine could see. Local AWS says its own;
for another --url it is read from standard input with --secret-stdin, or asked for.
It cannot sign for a provider that signs with a private key of its own, and says so.
A pause before --retry is what Retry-After says, otherwise 1, 2, 4, … 30 s.

Exit codes:
  0  every copy was answered with success (2xx); with --tamper: every answer was 401
  1  bad input, or no answer came
  2  some copy was answered otherwise

Examples:
  npx oncehook send stripe invoice.paid --times 10 --concurrency 10
  npx oncehook send github push --id 6f1a0f2e-5d1c-4f7e-9a51-0c3b8a1d2e4f
  npx oncehook send bazaar slip.credited --file slip.json --json
  npx oncehook send stripe invoice.paid --tamper
  npx oncehook send stripe invoice.paid --secret-stdin --url https://….amazonaws.com/webhooks/stripe < secret.txt`;

async function runSend(
  sourceName: string,
  type: string,
  options: SendOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, clock, chance, post } = surroundings;
  const source = requireSignable(knownSource(await surroundings.loadSources(), sourceName));
  const target = chooseTarget(source.name, options.url, options.secretStdin === true, surroundings.readLocalState());
  const delivery = prepareDelivery({
    source,
    type,
    id: options.id,
    file: await readBody(options, target, surroundings),
    now: clock.now(),
    uuid: chance.token(),
  });
  if (options.tamper === true && delivery.body.length === 0) {
    throw new Refusal('--tamper changes a byte, and the body is empty');
  }
  if (options.tamper === true && !source.signer.provesBody) {
    throw new Refusal(
      `--tamper shows nothing: ${source.name} sends its secret as it is, which no change of the body breaks`,
    );
  }
  const secret = await secretFor(target, source, options, surroundings);

  for (const note of delivery.notes) terminal.note(`note: ${note}`);
  const createReport = options.json === true ? createJsonReport : createTextReport;
  const report = createReport({ url: target.url, times: options.times, delivery }, terminal.print);
  const { times, concurrency, retry, tamper } = options;
  const plan = {
    url: target.url,
    signer: source.signer,
    publicUrl: source.publicUrl,
    secret,
    delivery,
    times,
    concurrency,
    retries: retry,
    tamper: tamper === true,
  };
  report.begin();
  const { unwanted, unreachable } = await send(plan, { post, clock, onAnswer: report.answer });
  report.end();
  if (unreachable !== undefined) {
    throw new Refusal(target.isLocal ? `${unreachable}; start local AWS with npm start` : unreachable);
  }
  return unwanted === 0 ? EXIT.done : EXIT.unexpected;
}

async function readBody(
  { file }: SendOptions,
  target: Target,
  { terminal, readFile }: Surroundings,
): Promise<Uint8Array | undefined> {
  if (file !== '-') return file === undefined ? undefined : readFile(file);
  if (target.secret !== 'ask') return terminal.readInput();
  throw new Refusal('standard input cannot be both the body and the secret: give --file a file name');
}

async function secretFor(
  target: Target,
  { name, provider }: SignableSource,
  { secretStdin }: SendOptions,
  { terminal }: Surroundings,
): Promise<string> {
  if (target.secret === 'ask' && secretStdin !== true && !terminal.isInteractive) {
    throw new Refusal(`the secret of ${name} is not known here: add --secret-stdin and pipe it in`);
  }
  const secret = target.secret === 'ask' ? await readSecret(terminal, name) : target.secret;
  // However short: it is the receiver that was given it.
  if (decodeSecret(provider.scheme.secret, secret) !== undefined) return secret;
  throw new Refusal(`the secret ${describeProblem(provider.scheme.secret, secret)}, so nothing was sent`);
}
