import { decodeRow } from '../../../adapters/dynamodb/inbox-item.ts';
import { fromWire, type WireItem } from '../../../adapters/dynamodb/wire-item.ts';
import { decodeItem } from '../../../core/attribute-value.ts';
import { isOncehookError } from '../../../core/errors.ts';
import type { HistoryEntry, InboxRecord, ListedRow } from '../../deployment/inbox-port.ts';

/** @throws OncehookError `ROW_UNREADABLE` */
export function decodeRecord(item: WireItem): InboxRecord {
  const row = decodeRow(item);
  const fields = decodeItem(fromWire(item));
  return {
    row,
    processedAt: textIn(fields, 'processedAt'),
    lastError: lastErrorOf(fields['lastError']),
    history: historyOf(fields['history']),
  };
}

/** Nothing is thrown for a row that is odd. */
export function decodeListed(item: WireItem): ListedRow {
  try {
    return { kind: 'row', record: decodeRecord(item) };
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    return { kind: 'unreadable', key: item['id']?.S ?? '', reason: error.message };
  }
}

// For people alone: what cannot be read of it is left out, and stops nobody.
function lastErrorOf(value: unknown): InboxRecord['lastError'] {
  if (!isRecord(value)) return undefined;
  return { name: textIn(value, 'name') ?? '', message: textIn(value, 'message') ?? '', at: textIn(value, 'at') ?? '' };
}

function historyOf(value: unknown): readonly HistoryEntry[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((entry) => ({
    at: textIn(entry, 'at') ?? '',
    by: textIn(entry, 'by') ?? '',
    reason: textIn(entry, 'reason') ?? '',
    was: STATUSES.find((status) => status === entry['was']) ?? 'claimed',
    processedAt: textIn(entry, 'processedAt'),
  }));
}

const STATUSES: readonly HistoryEntry['was'][] = ['claimed', 'processed', 'superseded', 'failed', 'parked', 'cleared'];

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}
