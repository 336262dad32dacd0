import type { LogEntry } from '../functions/log-feed.ts';
import { readJsonPattern } from './json-pattern.ts';

/** Whether a pattern fits a line. */
export type LineTest = (line: Pick<LogEntry, 'text' | 'fields'>) => boolean;

/** `?` makes a term one of several, `-` one that must not be there; quoted, it may hold anything. */
const TERM = /\s*(?<sign>[?-]?)(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<word>\w+))(?=\s|$)/y;

/**
 * Reads a filter pattern: terms, which are found as they are written, or `{ … }` on the fields of a JSON line.
 * `undefined` for one that CloudWatch Logs would not take, and for the forms in `[ ]` and `% %`.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function readFilterPattern(pattern: string): LineTest | undefined {
  const text = pattern.trim();
  if (text.startsWith('{')) return readJsonPattern(text);

  const terms: { readonly sign: string; readonly term: string }[] = [];
  for (let at = 0; at < text.length; at = TERM.lastIndex) {
    TERM.lastIndex = at;
    const found = TERM.exec(text)?.groups;
    if (found === undefined) return undefined;
    const { sign = '', quoted, word = '' } = found;
    terms.push({ sign, term: quoted === undefined ? word : quoted.replaceAll(/\\(.)/g, '$1') });
  }
  const those = (wanted: string) => terms.filter(({ sign }) => sign === wanted).map(({ term }) => term);
  const [needed, optional, forbidden] = [those(''), those('?'), those('-')];
  return (line) =>
    needed.every((term) => line.text.includes(term)) &&
    (needed.length > 0 || optional.length === 0 || optional.some((term) => line.text.includes(term))) &&
    !forbidden.some((term) => line.text.includes(term));
}
