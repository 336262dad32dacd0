import { type Command, Option } from 'commander';
import type { OwedRow } from '../../core/outbox-ports.ts';
import type { OwedState } from '../../core/owed-message.ts';
import { toIso } from '../../core/time.ts';
import { describeScan } from '../deployment/scan-cost.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type RedrivenRow, redriveAll, redriveOne } from '../outbox-redrive.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import { openPlace, type PlaceOptions, withPlaceOptions } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';

const STATES: readonly OwedState[] = ['new', 'retry', 'stuck'];

export function addOutboxCommand(program: Command, surroundings: Surroundings, end: (code: ExitCode) => void): void {
  const outbox = program
    .command('outbox')
    .summary('messages that are still owed')
    .description('Lists messages that are still owed, and makes stuck ones due again.')
    .addHelpText('after', HELP);

  withPlaceOptions(outbox.command('pending'), 'one JSON object a line')
    .summary('messages that are still owed')
    .description('Lists messages that no queue has yet. Payloads are not shown.')
    .addOption(new Option('--state <state>', 'only these').choices([...STATES]))
    .addHelpText('after', PENDING_HELP)
    .action(async (options: PlaceOptions & { readonly state?: OwedState }) =>
      end(await pending(options, surroundings)),
    );

  withPlaceOptions(outbox.command('redrive'), 'one JSON object a line')
    .summary('make stuck messages due again')
    .description('Makes stuck messages due again: the next sweep sends them, within about a minute.')
    .option('--id <outbox-id>', 'one message: <source>#<event id>#<n>')
    .option('--all', 'all stuck ones')
    .addHelpText('after', REDRIVE_HELP)
    .action(async (options: RedriveOptions) => end(await redrive(options, surroundings)));
}

const HELP = `
Examples:
  npx oncehook outbox pending --state stuck
  npx oncehook outbox redrive --all --stack Oncehook-prod`;

const PENDING_HELP = `
It scans the outbox table, which is almost empty unless something is wrong, and says first what that costs.

Exit codes:
  0  done
  1  refused

Examples:
  npx oncehook outbox pending
  npx oncehook outbox pending --state stuck --stack Oncehook-prod --json`;

const REDRIVE_HELP = `
Ids stay the same, so a consumer that deduplicates sees nothing twice. Ctrl-C ends it between two messages.

Exit codes:
  0  done
  1  refused, and nothing was changed unless the message says so
  2  some stuck messages were left as they are

Examples:
  npx oncehook outbox redrive --id 'stripe#evt_1PqZ#1'
  npx oncehook outbox redrive --all --stack Oncehook-prod --json`;

async function pending(
  options: PlaceOptions & { readonly state?: OwedState },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const outbox = await (await openPlace(options, surroundings)).outbox();
  terminal.note(describeScan('outbox', await outbox.size()));
  let listed = 0;
  for await (const page of outbox.scan()) {
    for (const row of page.filter((each) => options.state === undefined || stateOf(each) === options.state)) {
      if (listed === 0 && options.json !== true) terminal.print(HEADER);
      listed += 1;
      terminal.print(options.json === true ? JSON.stringify(asJson(row)) : asText(row));
    }
  }
  terminal.note(listed === 0 ? 'nothing is owed' : `${listed} ${listed === 1 ? 'message' : 'messages'}`);
  return EXIT.done;
}

const HEADER = `state       tries  ${'committed'.padEnd(24)}  message`;

const stateOf = (row: OwedRow): OwedState | undefined =>
  row.kind === 'owed' ? row.message.state : row.isStuck ? 'stuck' : undefined;

function asText(row: OwedRow): string {
  if (row.kind === 'unreadable') return printable(`unreadable  ${row.id}: ${row.reason}`);
  const { id, topic, state, attempts, createdAt } = row.message;
  return printable(`${state.padEnd(10)}  ${String(attempts).padStart(5)}  ${toIso(createdAt)}  ${id} (${topic})`);
}

function asJson(row: OwedRow) {
  if (row.kind === 'unreadable') return row;
  const { id, topic, group, state, attempts, createdAt, dueAt } = row.message;
  return {
    kind: 'owed',
    id,
    topic,
    group: group ?? null,
    state,
    attempts,
    createdAt: toIso(createdAt),
    dueAt: toIso(dueAt),
  };
}

interface RedriveOptions extends PlaceOptions {
  readonly id?: string;
  readonly all?: true;
}

async function redrive(options: RedriveOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal } = surroundings;
  const { id } = options;
  if ((id === undefined) === (options.all === undefined)) {
    throw new Refusal('say which: --id OUTBOX-ID for one message, or --all for all stuck ones');
  }
  const outbox = await (await openPlace(options, surroundings)).outbox();
  let due = 0;
  let left = 0;
  let wasInterrupted = false;
  const report = (row: RedrivenRow): void => {
    if (row.ending === 'due') due += 1;
    else left += 1;
    terminal.print(options.json === true ? JSON.stringify({ kind: 'redriven', ...row }) : describe(row));
  };
  if (id !== undefined) report(await redriveOne(outbox, id));
  else {
    terminal.note(describeScan('outbox', await outbox.size()));
    await surroundings.untilInterrupted(async (interruption) => {
      for await (const row of redriveAll(outbox, interruption)) report(row);
      wasInterrupted = interruption.aborted;
    });
  }
  terminal.note(
    [
      `${due} due again`,
      ...(left === 0 ? [] : [`${left} left as they are`]),
      ...(wasInterrupted ? ['interrupted: the rest is as it was'] : []),
    ].join(', '),
  );
  return left === 0 && !wasInterrupted ? EXIT.done : EXIT.unexpected;
}

const ENDINGS: Readonly<Record<RedrivenRow['ending'], string>> = {
  due: 'due again',
  changed: 'left: it changed meanwhile',
  unreadable: 'left: nobody can read it',
};

const describe = ({ id, ending }: RedrivenRow): string => printable(`${id}  ${ENDINGS[ending]}`);
