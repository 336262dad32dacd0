/**
 * `npm start`: local AWS for people. Arguments, what is printed, and the ways it ends.
 */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Notice } from './follow-changes.ts';
import { formatLogEntry, paintPlain, paintTerminal } from './functions/print-log.ts';
import type { LocalAws } from './local-aws.ts';
import { oneLine, Problem } from './problem.ts';
import { startLocalAws } from './start-local-aws.ts';
import { removeStateFile, STATE_FILE } from './state-file.ts';

const paint = process.stdout.isTTY ? paintTerminal : paintPlain;

const program = new Command('npm start --')
  .description('Runs the stack on this machine, from its own template.')
  .option('--port <n>', 'port of the webhook URLs; 0 picks a free one', parsePort, 3000)
  .option('--sources <file>', 'build the functions with another sources module')
  .option('--data <dir>', 'keep tables and secrets here between runs (default: in memory)')
  .option(
    '--dynamodb-endpoint <url>',
    'use a DynamoDB Local that runs already',
    process.env['ONCEHOOK_DYNAMODB_ENDPOINT'],
  )
  .option('-c, --context <key=value>', 'a setting on top of cdk.json; may be repeated', parseContext)
  .option('--no-console', 'no console page')
  .addHelpText(
    'after',
    `
Examples:
  npm start                                    http://127.0.0.1:3000, everything in memory
  npm start -- --port 0 --data .oncehook/data  a free port, and what was applied is remembered
  npm start -- -c receiveTimeoutSeconds=3      with another setting of docs/settings.md
  npm start -- --sources ./my-sources.ts       with other sources than lambda/handlers/sources.ts

While it runs, another terminal can use:
  npx oncehook send stripe invoice.paid --times 2`,
  );

interface Options {
  readonly port: number;
  readonly sources?: string;
  readonly data?: string;
  readonly dynamodbEndpoint?: string;
  readonly context?: Readonly<Record<string, string>>;
  readonly console: boolean;
}

async function main(options: Options): Promise<void> {
  let aws: LocalAws | undefined;
  let stopping = false;

  const stop = (status: number): void => {
    // A second signal does not wait; the guardian ends whatever is left.
    if (stopping) process.exit(1);
    stopping = true;
    if (aws === undefined) {
      // Still starting: the guardian ends what there is so far.
      removeStateFile(STATE_FILE);
      process.exit(status);
    }
    say('stopping');
    aws.stop().then(
      () => process.exit(status),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.on('SIGHUP', () => stop(0));

  try {
    aws = await startLocalAws({
      port: options.port,
      watch: true,
      console: options.console,
      onNotice: printNotice,
      ...(options.context !== undefined && { context: options.context }),
      ...(options.sources !== undefined && { sourcesFile: resolve(options.sources) }),
      ...(options.data !== undefined && { dataDirectory: resolve(options.data) }),
      ...(options.dynamodbEndpoint !== undefined && { dynamodbEndpoint: options.dynamodbEndpoint }),
    });
  } catch (error) {
    fail(error);
  }
  printReady(aws, options.sources);
  aws.logs.subscribe((entry) => {
    const line = formatLogEntry(entry, paint);
    if (line !== undefined) say(line);
  });
  void aws.failure.then((problem) => {
    if (stopping) return;
    console.error(paint('red', problem.message));
    stop(1);
  });
}

function printReady(aws: LocalAws, sourcesFile: string | undefined): void {
  console.log('\nOncehook is ready.\n');
  for (const source of Object.keys(aws.secrets))
    console.log(`  ${source.padEnd(12)}  ${aws.apiUrl}/webhooks/${source}`);
  if (aws.consoleUrl !== undefined) console.log(`\n  console       ${aws.consoleUrl}`);
  console.log('\nIn another terminal, send one event twice and see it applied once:\n');
  const [source] = Object.keys(aws.secrets);
  const event = 'stripe' in aws.secrets ? 'stripe invoice.paid' : `${source ?? '<source>'} <type>`;
  const setting = sourcesFile === undefined ? '' : `ONCEHOOK_SOURCES=${sourcesFile} `;
  console.log(`  ${setting}npx oncehook send ${event} --times 2\n`);
  console.log('Ctrl-C ends it.\n');
}

function printNotice({ kind, text }: Notice): void {
  switch (kind) {
    case 'progress':
      say(`${text} …`);
      break;
    case 'warning':
      say(paint('yellow', text));
      break;
    case 'reloaded':
      say(text);
      break;
    case 'failure':
      say(paint('red', text));
      break;
  }
}

const say = (text: string): void => console.log(`${paint('gray', new Date().toTimeString().slice(0, 8))}  ${text}`);

/** A problem is one line; anything else is a mistake of ours, and its stack helps to find it. */
function fail(error: unknown): never {
  console.error(
    paint(
      'red',
      error instanceof Problem
        ? `oncehook: ${oneLine(error)}`
        : String((error instanceof Error && error.stack) || error),
    ),
  );
  process.exit(1);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (text === '' || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('a port is 0 to 65535');
  return port;
}

function parseContext(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [key = '', ...value] = text.split('=');
  if (key === '' || value.length === 0) throw new InvalidArgumentError('write it as key=value');
  return { ...before, [key]: value.join('=') };
}

await main(program.parse().opts());
