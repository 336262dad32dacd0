import { decodeItem, type Item } from './attribute-value.ts';
import { isOncehookError, OncehookError } from './errors.ts';
import type { OwedRow } from './outbox-ports.ts';
import type { OwedMessage, OwedState } from './owed-message.ts';
import { epochMs } from './time.ts';

const STATES: readonly OwedState[] = ['new', 'retry', 'stuck'];

/** A row of the outbox, from the table or from a stream record's image. Nothing is thrown for a row that is odd. */
export function decodeOwedRow(item: Item): OwedRow {
  try {
    return { kind: 'owed', message: decodeMessage(decodeItem(item)) };
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    return {
      kind: 'unreadable',
      id: textIn(item, 'id'),
      isStuck: textIn(item, 'state') === 'stuck',
      reason: error.message,
    };
  }
}

function textIn(item: Item, name: string): string {
  const value = item[name];
  return value !== undefined && 'S' in value ? value.S : '';
}

function decodeMessage(row: Readonly<Record<string, unknown>>): OwedMessage {
  const text = (name: string): string => {
    const value = row[name];
    return typeof value === 'string' ? value : unreadable(`no text in ${name}`);
  };
  const count = (name: string): number => {
    const value = row[name];
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : unreadable(`no whole number in ${name}`);
  };
  const createdAt = epochMs(count('createdAtMs'));
  return {
    id: text('id'),
    topic: text('topic'),
    payload: text('payload'),
    group: row['group'] === undefined ? undefined : text('group'),
    createdAt,
    dueAt: epochMs(count('dueAtMs')),
    state: STATES.find((known) => known === row['state']) ?? unreadable('an unknown state'),
    attempts: count('attempts'),
  };
}

function unreadable(what: string): never {
  throw new OncehookError('ROW_UNREADABLE', `the row has ${what}`, { retryable: false });
}
