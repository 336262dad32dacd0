import { type Command, Option } from 'commander';
import { OUTBOX_SOURCE } from '../../consume/read-message.ts';
import type { InboxStatus } from '../../core/inbox-row.ts';
import { confirm } from '../confirm.ts';
import { describeScan } from '../deployment/scan-cost.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findEvent } from '../find-event.ts';
import { clearEvent, consequencesOf, requireClearable } from '../inbox-clear.ts';
import { listInbox } from '../inbox-list.ts';
import { knownSource } from '../known-source.ts';
import { printable } from '../printable.ts';
import { redeliveryAdvice } from '../replay/redelivery-advice.ts';
import { requireWhoAndWhy } from '../who-and-why.ts';
import { LIST_HEADER, listedAsJson, listedAsText, rowAsJson, rowAsText } from './inbox-report.ts';
import { openPlace, type PlaceOptions, withPlaceOptions } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';
import { wholeNumber } from './whole-number.ts';

const STATUSES: readonly InboxStatus[] = ['claimed', 'processed', 'superseded', 'failed', 'parked', 'cleared'];

/** More lines than anybody reads. */
const MAX_LINES = 1_000_000;

export function addInboxCommand(program: Command, surroundings: Surroundings, end: (code: ExitCode) => void): void {
  const inbox = program
    .command('inbox')
    .summary('what became of events, and replay of one')
    .description('Shows and lists what the inbox remembers of events, and makes one claimable again.')
    .addHelpText('after', HELP);

  withPlaceOptions(inbox.command('show'), 'one JSON object')
    .summary('one event')
    .description('Shows what the inbox remembers of one event. Bodies, results and step values are not shown.')
    .argument('<source>', 'a source, or outbox: for a message that a consumer applied')
    .argument('<event-id>', 'as the provider shows it')
    .addHelpText('after', SHOW_HELP)
    .action(async (source: string, eventId: string, options: PlaceOptions) =>
      end(await show(source, eventId, options, surroundings)),
    );

  withPlaceOptions(inbox.command('list'), 'one JSON object a line')
    .summary('events that failed or were parked')
    .description(
      'Lists events that failed or were parked, by an index that has only those. With --all it reads the whole ' +
        'table, and says first what that costs.',
    )
    .addOption(new Option('--status <status>', 'only these; without --all failed or parked').choices([...STATUSES]))
    .option('--source <source>', 'only those of a source')
    .option('--limit <n>', 'end after so many', wholeNumber(1, MAX_LINES))
    .option('--all', 'scan the whole table, for every status')
    .option('--yes', 'do not ask before a scan')
    .addHelpText('after', LIST_HELP)
    .action(async (options: ListOptions) => end(await list(options, surroundings)));

  withPlaceOptions(inbox.command('clear'), 'one JSON object')
    .summary('make one event claimable again')
    .description(
      'Makes one event claimable again, so that its next delivery is applied. It runs no handler. What it shows ' +
        'is what it changes: if the event changes meanwhile, nothing is done.',
    )
    .argument('<source>', 'a source of lambda/handlers/sources.ts, or outbox:')
    .argument('<event-id>', 'as the provider shows it')
    .requiredOption('--reason <text>', "why; it stays in the event's history")
    .option('--by <name>', 'who (default: ONCEHOOK_OPERATOR, or your name on this machine)')
    .option('--yes', 'do not ask')
    .addHelpText('after', CLEAR_HELP)
    .action(async (source: string, eventId: string, options: ClearOptions) =>
      end(await clear(source, eventId, options, surroundings)),
    );
}

const EXIT_CODES = `
Exit codes:
  0  done
  1  refused or not found, and nothing was changed`;

const HELP = `
Examples:
  npx oncehook inbox list
  npx oncehook inbox show stripe evt_1PqZ --stack Oncehook-prod
  npx oncehook inbox clear stripe evt_1PqZ --reason 'wrong amount, fixed in 4f1c2d'`;

const SHOW_HELP = `${EXIT_CODES}

Examples:
  npx oncehook inbox show stripe evt_1PqZ
  npx oncehook inbox show outbox: 'stripe#evt_1PqZ#1' --stack Oncehook-prod --json`;

const LIST_HELP = `
The order is the table's, which is none. An event that is listed may have changed a moment ago.
${EXIT_CODES}

Examples:
  npx oncehook inbox list --status parked --source stripe
  npx oncehook inbox list --stack Oncehook-prod --json
  npx oncehook inbox list --all --status cleared --yes`;

const CLEAR_HELP = `
An event whose attempt may still run is refused. The event stays in the inbox until its next delivery, however
late that comes; outbox ids and idempotency keys are the same as before.
${EXIT_CODES}

Examples:
  npx oncehook inbox clear stripe evt_1PqZ --reason 'wrong amount, fixed in 4f1c2d'
  npx oncehook inbox clear github 6f1a0f2e --reason 'replay' --stack Oncehook-prod --yes --json`;

async function show(
  source: string,
  eventId: string,
  options: PlaceOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const sources = await surroundings.loadSources();
  const deployment = await openPlace(options, surroundings);
  const record = await findEvent(await deployment.inbox(), sources, source, eventId);
  const { print } = surroundings.terminal;
  if (options.json === true) print(JSON.stringify(rowAsJson(record)));
  else for (const line of rowAsText(record)) print(line);
  return EXIT.done;
}

interface ListOptions extends PlaceOptions {
  readonly status?: InboxStatus;
  readonly source?: string;
  readonly limit?: number;
  readonly all?: true;
  readonly yes?: true;
}

async function list(options: ListOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal } = surroundings;
  const { status, source, limit = MAX_LINES } = options;
  if (source !== undefined) knownSource(await surroundings.loadSources(), source);
  const deployment = await openPlace(options, surroundings);
  const inbox = await deployment.inbox();
  const all = options.all === true;
  const pages = listInbox(inbox, { status, source, all });
  if (all) {
    terminal.note(describeScan('inbox', await inbox.size()));
    await confirm(terminal, 'scan it?', options.yes === true);
  }

  let listed = 0;
  reading: for await (const page of pages) {
    for (const row of page) {
      if (listed === limit) break reading;
      if (listed === 0 && options.json !== true) terminal.print(LIST_HEADER);
      listed += 1;
      terminal.print(options.json === true ? JSON.stringify(listedAsJson(row)) : listedAsText(row));
    }
  }
  terminal.note(listed === 0 ? 'no such event' : `${listed} ${listed === 1 ? 'event' : 'events'}`);
  return EXIT.done;
}

interface ClearOptions extends PlaceOptions {
  readonly reason: string;
  readonly by?: string;
  readonly yes?: true;
}

async function clear(
  sourceName: string,
  eventId: string,
  options: ClearOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, clock } = surroundings;
  const wish = { by: options.by ?? surroundings.operatorName(), reason: options.reason };
  requireWhoAndWhy(wish);
  const sources = await surroundings.loadSources();
  const deployment = await openPlace(options, surroundings);
  const inbox = await deployment.inbox();
  const record = await findEvent(inbox, sources, sourceName, eventId);
  // A source that is gone receives nothing: there would be no next delivery.
  const source =
    sources.get(sourceName) ?? (sourceName === OUTBOX_SOURCE ? undefined : knownSource(sources, sourceName));
  requireClearable(record, clock.now());

  for (const line of rowAsText(record)) terminal.note(line);
  for (const line of consequencesOf(record)) terminal.note(`- ${line}`);
  const name = printable(`${record.row.source} ${record.row.eventId}`);
  await confirm(terminal, `clear ${name}?`, options.yes === true);
  const entry = await clearEvent(inbox, clock, record, wish);

  const redeliver = printable(redeliveryAdvice(source, record.row.eventId));
  if (options.json === true) {
    const { source: of, eventId: id } = record.row;
    terminal.print(JSON.stringify({ kind: 'cleared', source: of, eventId: id, ...entry, redeliver }));
  } else {
    terminal.print(`cleared ${name}, which was ${entry.was}`);
    terminal.print(`now have it delivered again: ${redeliver}`);
  }
  return EXIT.done;
}
