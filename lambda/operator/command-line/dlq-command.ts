import { type Command, Option } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import { DISCARD_HELP, HELP, LIST_HELP, REDRIVE_HELP, SHOW_HELP } from './dlq-help.ts';
import { type DlqOptions, MAX_MESSAGES } from './dlq-holding.ts';
import { list, type ShowOptions, show } from './dlq-look.ts';
import { type DiscardOptions, discard, type RedriveOptions, redrive } from './dlq-move.ts';
import { withPlaceOptions } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';
import { wholeNumber } from './whole-number.ts';

export function addDlqCommand(program: Command, surroundings: Surroundings, end: (code: ExitCode) => void): void {
  const dlq = program
    .command('dlq')
    .summary('what was given up: parked events, and messages that a consumer did not take')
    .description('Lists and shows what is in a dead-letter queue, puts it back to work, or discards it.')
    .addHelpText('after', HELP);

  const verb = (name: string, summary: string, json = 'one JSON object a line') =>
    withPlaceOptions(dlq.command(name), json)
      .summary(summary)
      .addOption(
        new Option('--queue <queue>', 'whose DLQ').choices(['events', 'outbox', 'deliveries']).default('events'),
      );
  const choice = (command: Command) =>
    command
      .option('--id <id>', 'one: an event id, <source>#<event id>, an outbox id, or a message id')
      .option('--all', 'all of them')
      .option('--max <n>', 'end after so many', wholeNumber(1, MAX_MESSAGES));

  verb('list', 'what is in the DLQ')
    .description('Lists what is in a dead-letter queue, and leaves it there. Bodies are not shown.')
    .option('--max <n>', 'end after so many', wholeNumber(1, MAX_MESSAGES))
    .addHelpText('after', LIST_HELP)
    .action(async (options: DlqOptions & { readonly max?: number }) => end(await list(options, surroundings)));

  verb('show', 'one message', 'one JSON object')
    .description('Shows one message of a dead-letter queue, and leaves it there. The body only when asked for.')
    .argument('<id>', 'an event id, <source>#<event id>, an outbox id, or a message id')
    .option('--body', 'in place of all else: the bytes as they were received')
    .option('--output <file>', 'write the body into a new file, not to standard output')
    .addHelpText('after', SHOW_HELP)
    .action(async (id: string, options: ShowOptions) => end(await show(id, options, surroundings)));

  choice(verb('redrive', 'put messages back to work'))
    .description('Puts messages back into the queue they came from, and then out of the dead-letter queue.')
    .option('--process-expired', 'also those that may be older than the dedup window: they may be applied twice')
    .option('--yes', 'do not ask')
    .addHelpText('after', REDRIVE_HELP)
    .action(async (options: RedriveOptions) => end(await redrive(options, surroundings)));

  choice(verb('discard', 'delete messages for good'))
    .description('Deletes messages of a dead-letter queue for good. There is no other copy of them.')
    .requiredOption('--reason <text>', 'why; it is printed with what was deleted, for your records')
    .option('--by <name>', 'who (default: ONCEHOOK_OPERATOR, or your name on this machine)')
    .option('--yes', 'do not ask')
    .addHelpText('after', DISCARD_HELP)
    .action(async (options: DiscardOptions) => end(await discard(options, surroundings)));
}
