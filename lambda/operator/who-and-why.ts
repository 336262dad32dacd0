import { Refusal } from './refusal.ts';

/** What is kept of a decision. */
export interface WhoAndWhy {
  readonly by: string;
  readonly reason: string;
}

/** Longest reason and name that are kept, in characters. */
const MAX_REASON_CHARACTERS = 300;
const MAX_NAME_CHARACTERS = 100;

/** @throws Refusal for a reason or a name that is blank, or too long to be kept. */
export function requireWhoAndWhy({ by, reason }: WhoAndWhy): void {
  requireText('--reason', reason, MAX_REASON_CHARACTERS);
  requireText('--by', by, MAX_NAME_CHARACTERS);
}

function requireText(option: string, text: string, most: number): void {
  if (text.trim() === '') throw new Refusal(`${option} must not be blank: it is kept with what was done`);
  if (text.length > most) throw new Refusal(`${option} has ${text.length} characters; at most ${most} are kept`);
}
