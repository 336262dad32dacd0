import { Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { oneLine } from '../refusal.ts';
import { addDlqCommand } from './dlq-command.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addInboxCommand } from './inbox-command.ts';
import { addOutboxCommand } from './outbox-command.ts';
import { addSecretCommand } from './secret-command.ts';
import { addSendCommand } from './send-command.ts';
import { addStatsCommand } from './stats-command.ts';
import type { Surroundings } from './surroundings.ts';

/** Columns of the help, the same wherever it is printed. */
const HELP_WIDTH = 100;

/**
 * Runs one command of the CLI.
 *
 * @param args What follows the program's name.
 * @returns what to tell the shell. Errors were printed as one line by then, without a stack trace, except
 * mistakes of ours, which are thrown.
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { terminal } = surroundings;
  let code: ExitCode = EXIT.done;
  const end = (ended: ExitCode): void => {
    code = ended;
  };
  const program = new Command('oncehook')
    .description('Operates Oncehook: sees what became of events, and deals with what was given up.')
    .addHelpText('after', HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      // Errors are printed below, with nothing in them that may be a secret.
      outputError: () => {},
      writeErr: (text) => terminal.note(text.trimEnd()),
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    });
  addSendCommand(program, surroundings, end);
  addSecretCommand(program, surroundings, end);
  addStatsCommand(program, surroundings, end);
  addInboxCommand(program, surroundings, end);
  addDlqCommand(program, surroundings, end);
  addOutboxCommand(program, surroundings, end);
  addDoctorCommand(program, surroundings, end);

  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
      return error.exitCode === 0 ? EXIT.done : EXIT.refused;
    }
    if (!isForTheOperator(error)) throw error;
    terminal.note(`oncehook: ${error instanceof CommanderError ? misuse(error, args) : oneLine(error)}`);
    return EXIT.refused;
  }
}

const HELP = `
Sources are read from lambda/handlers/sources.ts, or from the module that ONCEHOOK_SOURCES names.

Exit codes:
  0  done
  1  bad input, or something that is needed does not answer
  2  done, and what came back is not what was wanted

Examples:
  npx oncehook send stripe invoice.paid --times 2
  npx oncehook secret set stripe
  npx oncehook stats --stack Oncehook-prod
  npx oncehook inbox list --stack Oncehook-prod
  npx oncehook dlq redrive --id evt_1PqZ --stack Oncehook-prod
  npx oncehook doctor --stack Oncehook-prod`;

const isForTheOperator = (error: unknown): error is Error =>
  error instanceof Error && /^(Refusal|OncehookError|CommanderError|InvalidArgumentError)$/.test(error.name);

/** What is wrong with the arguments, without what may be a secret in the wrong place. */
function misuse({ code, message }: CommanderError, args: readonly string[]): string {
  const [command] = args;
  if (command === 'secret') {
    return 'secret takes a verb, a source and the options of npx oncehook secret --help; a secret is never an argument';
  }
  const text = oneLine(message).replace(/^error: /, '');
  const shown =
    code === 'commander.excessArguments' ? text.replace(/:.*$/, '') : text.replace(/'(-[^=']*)=.*'/, "'$1'");
  return `${shown.replace(/[.]$/, '')}; see npx oncehook ${helpPath(args)}--help`;
}

/** The verb whose help has the options, as far as it is known to be one. */
function helpPath([command = '', verb = '']: readonly string[]): string {
  const verbs = VERBS.get(command);
  if (verbs === undefined) return '';
  return verbs.includes(verb) ? `${command} ${verb} ` : `${command} `;
}

const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['send', []],
  ['stats', []],
  ['doctor', []],
  ['inbox', ['show', 'list', 'clear']],
  ['outbox', ['pending', 'redrive']],
  ['dlq', ['list', 'show', 'redrive', 'discard']],
]);
