import { styleText } from 'node:util';
import type { LogEntry } from './log-feed.ts';
import { type OutcomeLine, readOutcomeLine } from './outcome-line.ts';

type Style = Parameters<typeof styleText>[0];

/** What `formatLogEntry` uses of a terminal. */
export type Paint = (style: Style, text: string) => string;

export const paintPlain: Paint = (_, text) => text;
export const paintTerminal: Paint = (style, text) => styleText(style, text);

/**
 * One short line for an outcome, the whole text of anything else; `undefined` for what is not
 * worth a line here, which is metrics.
 */
export function formatLogEntry(entry: LogEntry, paint: Paint): string | undefined {
  const { fields, functionKey } = entry;
  if (fields === undefined)
    return `${functionKey}  ${entry.from === 'platform' ? paint('red', entry.text) : entry.text}`;
  if (fields['_aws'] !== undefined) return undefined;
  const outcome = readOutcomeLine(entry);
  if (outcome !== undefined) return formatOutcome(functionKey, outcome, paint);

  const level = String(fields['level'] ?? 'INFO');
  if (['WARN', 'ERROR', 'CRITICAL', 'FATAL'].includes(level)) {
    return `${functionKey}  ${paint(level === 'WARN' ? 'yellow' : 'red', entry.text)}`;
  }
  const { message } = { message: undefined, ...fields };
  return `${functionKey}  ${typeof message === 'string' ? message : JSON.stringify(message)}`;
}

function formatOutcome(functionKey: string, line: OutcomeLine, paint: Paint): string {
  const { outcome, source, type, eventId, reason, durationMs } = line;
  const duration = durationMs === undefined ? '' : `${durationMs} ms`;
  const parts = [functionKey, paint(styleOf(outcome), outcome.padEnd(11)), source, type, eventId, reason, duration];
  return parts.filter((part) => part !== '').join('  ');
}

function styleOf(outcome: string): Style {
  switch (outcome) {
    case 'processed':
      return 'green';
    case 'duplicate':
      return 'cyan';
    case 'superseded':
    case 'ignored':
    case 'queued':
      return 'gray';
    default:
      return 'red';
  }
}
