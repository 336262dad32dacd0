import { assertNever } from '../../core/assert-never.ts';
import type { DedupWindow } from '../../core/dedup-window.ts';
import { confirm } from '../confirm.ts';
import { HIDDEN_WHILE_LOOKING } from '../dead-letters/hold-messages.ts';
import type { DeadLetter } from '../dead-letters/read-dead-letter.ts';
import { deployedWindow } from '../deployed-window.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { discardDeadLetters, HIDDEN_WHILE_ASKING } from '../dlq-discard.ts';
import { type RedriveEnding, redriveDeadLetters } from '../dlq-redrive.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { oneLine, Refusal } from '../refusal.ts';
import { requireWhoAndWhy } from '../who-and-why.ts';
import { letterAsJson, letterAsLine, nameOf } from './dead-letter-report.ts';
import { type DlqOptions, holding, MAX_MESSAGES, noSuchMessage } from './dlq-holding.ts';
import { openPlace } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';

interface ChoiceOptions extends DlqOptions {
  readonly id?: string;
  readonly all?: true;
  readonly max?: number;
  readonly yes?: true;
}

function requireChoice({ id, all }: ChoiceOptions): void {
  if ((id === undefined) === (all === undefined)) {
    throw new Refusal('say which: --id ID for one message, or --all');
  }
}

export interface RedriveOptions extends ChoiceOptions {
  readonly processExpired?: true;
}

export async function redrive(options: RedriveOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, clock } = surroundings;
  const { queue: name, id } = options;
  requireChoice(options);
  const processExpired = options.processExpired === true;
  const deployment = await openPlace(options, surroundings);
  const [dlq, queue, inbox] = await Promise.all([
    deployment.queue(`${name}Dlq`),
    deployment.queue(name),
    deployment.inbox(),
  ]);
  const window = name === 'events' ? await visibleWindow(deployment, surroundings) : undefined;
  const depth = await dlq.depth();
  if (processExpired) {
    await confirm(
      terminal,
      'what is older than the dedup window may have been applied before, and would be applied again. Redrive it?',
      options.yes === true,
    );
  }

  const counts = { redriven: 0, expired: 0, unreadable: 0, again: 0 };
  const onEnding = (letter: DeadLetter, ending: RedriveEnding): void => {
    counts[ending.kind] += 1;
    if (options.json === true) {
      terminal.print(JSON.stringify({ name: nameOf(letter), messageId: letter.message.messageId, ...ending }));
    } else terminal.print(printable(`${nameOf(letter)}  ${describeEnding(ending)}`));
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (done % PROGRESS_EVERY === 0) terminal.note(`${done} of about ${Math.max(depth, done)}`);
  };
  const wasInterrupted = await holding(dlq, HIDDEN_WHILE_LOOKING, surroundings, async (held, interruption) => {
    const wish = { dlq: name, id, most: options.max ?? MAX_MESSAGES, processExpired };
    await redriveDeadLetters({ queue, inbox, clock, window, interruption, onEnding }, held, wish);
    return interruption.aborted;
  });

  const { redriven, expired, unreadable, again } = counts;
  const left = expired + unreadable + again;
  if (id !== undefined && redriven + left === 0 && !wasInterrupted) throw noSuchMessage(id);
  terminal.note(
    [
      `${redriven} redriven`,
      ...(expired === 0 ? [] : [`${expired} left because they may be older than the dedup window (--process-expired)`]),
      ...(unreadable === 0 ? [] : [`${unreadable} left because nobody can read them`]),
      ...(again === 0 ? [] : [`${again} left because a copy was redriven just now`]),
      ...(wasInterrupted ? ['interrupted: the rest is where it was'] : []),
    ].join(', '),
  );
  return left === 0 && !wasInterrupted ? EXIT.done : EXIT.unexpected;
}

/** A line of progress for so many messages. */
const PROGRESS_EVERY = 100;

async function visibleWindow(deployment: Deployment, { terminal }: Surroundings): Promise<DedupWindow | undefined> {
  try {
    const window = await deployedWindow(await deployment.inspection());
    if (window !== undefined) return window;
    terminal.note('note: the dedup window cannot be seen, so only events that say so themselves count as expired');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    terminal.note(`note: only events that say so themselves count as expired: ${oneLine(error)}`);
  }
  return undefined;
}

function describeEnding(ending: RedriveEnding): string {
  switch (ending.kind) {
    case 'redriven':
      return ending.forced ? 'redriven, whatever its age' : 'redriven';
    case 'expired':
      return 'left: it may be older than the dedup window';
    case 'unreadable':
      return `left: ${ending.problem}`;
    case 'again':
      return 'left: a copy was redriven just now';
    default:
      return assertNever(ending);
  }
}

export interface DiscardOptions extends ChoiceOptions {
  readonly reason: string;
  readonly by?: string;
}

export async function discard(options: DiscardOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, clock } = surroundings;
  const { queue: name, id, reason } = options;
  requireChoice(options);
  const by = options.by ?? surroundings.operatorName();
  requireWhoAndWhy({ by, reason });
  const dlq = await (await openPlace(options, surroundings)).queue(`${name}Dlq`);
  let discarded = 0;
  const onDiscarded = (letter: DeadLetter): void => {
    discarded += 1;
    terminal.print(
      options.json === true
        ? JSON.stringify({ ...letterAsJson(letter), discarded: { by, reason } })
        : printable(`${nameOf(letter)}  discarded by ${by}: ${reason}`),
    );
  };
  const ask = (letters: readonly DeadLetter[]): Promise<void> => {
    for (const letter of letters.slice(0, SHOWN_BEFORE_DISCARD)) terminal.note(letterAsLine(letter));
    if (letters.length > SHOWN_BEFORE_DISCARD) terminal.note(`… and ${letters.length - SHOWN_BEFORE_DISCARD} more`);
    const what = letters.length === 1 ? 'this message' : `these ${letters.length} messages`;
    return confirm(terminal, `delete ${what} for good?`, options.yes === true);
  };
  const chosen = await holding(dlq, HIDDEN_WHILE_ASKING, surroundings, (held, interruption) =>
    discardDeadLetters({ clock, interruption, confirm: ask, onDiscarded }, held, {
      dlq: name,
      id,
      most: options.max ?? MAX_MESSAGES,
    }),
  );
  if (id !== undefined && chosen.length === 0) throw noSuchMessage(id);
  terminal.note(`${discarded} discarded${discarded < chosen.length ? ', interrupted: the rest is where it was' : ''}`);
  if (name === 'events' && discarded > 0) {
    terminal.note('inbox rows stay as they are: should a provider send such an event again, it is tried again');
  }
  return discarded === chosen.length ? EXIT.done : EXIT.unexpected;
}

/** As many as fit a screen. */
const SHOWN_BEFORE_DISCARD = 20;
