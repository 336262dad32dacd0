import { bodyOf } from '../dead-letters/body-of.ts';
import { HIDDEN_WHILE_LOOKING } from '../dead-letters/hold-messages.ts';
import { findDeadLetter } from '../dlq-choose.ts';
import { listDeadLetters } from '../dlq-list.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import { DLQ_HEADER, letterAsJson, letterAsLine, letterAsText } from './dead-letter-report.ts';
import { type DlqOptions, holding, MAX_MESSAGES, noSuchMessage } from './dlq-holding.ts';
import { openPlace } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';

export async function list(
  options: DlqOptions & { readonly max?: number },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const { max = MAX_MESSAGES } = options;
  const dlq = await (await openPlace(options, surroundings)).queue(`${options.queue}Dlq`);
  const depth = await dlq.depth();
  let listed = 0;
  const wasInterrupted = await holding(dlq, HIDDEN_WHILE_LOOKING, surroundings, async (held, interruption) => {
    for await (const letters of listDeadLetters(held, options.queue)) {
      for (const letter of letters.slice(0, max - listed)) {
        if (listed === 0 && options.json !== true) terminal.print(DLQ_HEADER);
        listed += 1;
        terminal.print(options.json === true ? JSON.stringify(letterAsJson(letter)) : letterAsLine(letter));
      }
      if (listed === max) return false;
    }
    return interruption.aborted;
  });
  if (wasInterrupted) {
    terminal.note(`${listed} of about ${Math.max(depth, listed)}, interrupted: the rest was not looked at`);
    return EXIT.unexpected;
  }
  terminal.note(listed === 0 ? 'nothing can be seen in it' : `${listed} of about ${Math.max(depth, listed)}`);
  if (listed < depth && listed < max) {
    terminal.note('note: others are hidden: somebody looks at them, or a FIFO group shows its first ones alone');
  }
  return EXIT.done;
}

export interface ShowOptions extends DlqOptions {
  readonly body?: true;
  readonly output?: string;
}

export async function show(id: string, options: ShowOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal } = surroundings;
  const { output } = options;
  if (output !== undefined && options.body !== true) throw new Refusal('--output is for the body: add --body');
  const deployment = await openPlace(options, surroundings);
  const dlq = await deployment.queue(`${options.queue}Dlq`);
  const letter = await holding(dlq, HIDDEN_WHILE_LOOKING, surroundings, (held, interruption) =>
    findDeadLetter(held, { dlq: options.queue, id }, interruption),
  );
  if (letter === undefined) throw noSuchMessage(id);

  if (options.body !== true) {
    if (options.json === true) terminal.print(JSON.stringify(letterAsJson(letter)));
    else for (const line of letterAsText(letter)) terminal.print(line);
    return EXIT.done;
  }
  const bytes = await bodyOf(letter, deployment.bodies);
  if (letter.kind === 'event' && letter.envelope.contentEncoding !== undefined) {
    terminal.note(`note: the bytes are as they were received: ${printable(letter.envelope.contentEncoding)}`);
  }
  if (output === undefined) await terminal.write(bytes);
  else {
    await surroundings.writeNewFile(output, bytes);
    terminal.note(`${bytes.length} bytes in ${printable(output)}`);
  }
  return EXIT.done;
}
