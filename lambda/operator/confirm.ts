import type { Terminal } from './ports.ts';
import { Refusal } from './refusal.ts';

/**
 * Asks a person before something is done that cannot be taken back.
 *
 * @param isSure They said so already, with `--yes`.
 * @throws Refusal when they say no, or when nobody is there to ask.
 */
export async function confirm(terminal: Terminal, question: string, isSure: boolean): Promise<void> {
  if (isSure) return;
  if (!terminal.isInteractive) throw new Refusal(`${question} Nobody is here to ask: add --yes. Nothing was done`);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new Refusal('not confirmed, so nothing was done');
}
