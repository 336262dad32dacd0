/**
 * The one codec of inbox rows. Reading an unknown version or a wrong shape is a named failure and
 * never a half-filled row: nobody after it checks again.
 */
import { createHash } from 'node:crypto';
import { ATTENTION_SHARDS } from '../../contract.ts';
import { decodeItem, encodeItem, type Item } from '../../core/attribute-value.ts';
import { cutText } from '../../core/cut-text.ts';
import { OncehookError } from '../../core/errors.ts';
import type { InboxRow, InboxStatus, StepRecord } from '../../core/inbox-row.ts';
import type { WantedClaim } from '../../core/ports.ts';
import { type EpochMs, type EpochSeconds, epochMs, toIso } from '../../core/time.ts';
import { fromWire, type WireItem } from './wire-item.ts';

/** Raise it when the stored shape changes, and keep reading every older one. */
export const SCHEMA_VERSION = 1;

/** Longest type kept on a row, in characters: with the longest event id a finished row is still under 1 KB. */
const MAX_TYPE_CHARACTERS = 100;

const STATUSES: readonly InboxStatus[] = ['claimed', 'processed', 'superseded', 'failed', 'parked', 'cleared'];

export const encodeFreshRow = (wanted: WantedClaim): Item =>
  encodeItem({
    id: wanted.event.key,
    v: SCHEMA_VERSION,
    source: wanted.event.source,
    eventId: wanted.event.eventId,
    type: cutText(wanted.event.types[0], MAX_TYPE_CHARACTERS),
    status: 'claimed',
    receivedAt: toIso(wanted.event.receivedAt),
    claimToken: wanted.token,
    leaseUntilMs: wanted.leaseUntil,
    attempts: 1,
    failures: 0,
    bodyHash: wanted.event.bodyHash,
    steps: {},
    ...(wanted.expiresAt === undefined ? {} : { expiresAt: wanted.expiresAt }),
  });

/** @throws OncehookError `ROW_UNREADABLE` naming what is wrong, never a value. */
export function decodeRow(item: WireItem): InboxRow {
  const row = decodeItem(fromWire(item));
  if (row['v'] !== SCHEMA_VERSION)
    throw unreadable(`schema version ${String(row['v'])}; this code reads ${SCHEMA_VERSION}`);
  const status = STATUSES.find((known) => known === row['status']);
  if (status === undefined) throw unreadable('an unknown status');
  return {
    key: text(row, 'id'),
    source: text(row, 'source'),
    eventId: text(row, 'eventId'),
    type: text(row, 'type'),
    status,
    receivedAt: instant(row, 'receivedAt'),
    claimToken: text(row, 'claimToken'),
    leaseUntil: row['leaseUntilMs'] === undefined ? undefined : epochMs(count(row, 'leaseUntilMs')),
    attempts: count(row, 'attempts'),
    failures: count(row, 'failures'),
    bodyHash: text(row, 'bodyHash'),
    failedAt: failureTime(row['lastError']),
    expiresAt: row['expiresAt'] === undefined ? undefined : (count(row, 'expiresAt') as EpochSeconds),
    steps: stepsOf(row['steps']),
  };
}

/** `<status>#<shard>`, the key of the attention index. */
export function attentionOf(status: 'failed' | 'parked', key: string): string {
  const shard = createHash('sha256').update(key).digest().readUInt32BE(0) % ATTENTION_SHARDS;
  return `${status}#${shard}`;
}

const unreadable = (what: string): OncehookError =>
  new OncehookError('ROW_UNREADABLE', `an inbox row has ${what}`, { retryable: false });

function text(row: Readonly<Record<string, unknown>>, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw unreadable(`no text in ${name}`);
  return value;
}

function count(row: Readonly<Record<string, unknown>>, name: string): number {
  const value = row[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable(`no whole number in ${name}`);
  return value;
}

function instant(row: Readonly<Record<string, unknown>>, name: string): EpochMs {
  const at = Date.parse(text(row, name));
  if (Number.isNaN(at)) throw unreadable(`no time in ${name}`);
  return epochMs(at);
}

// For people first of all; a row without it is not unreadable for that.
function failureTime(error: unknown): EpochMs | undefined {
  const at = typeof error === 'object' && error !== null && 'at' in error ? Date.parse(String(error.at)) : Number.NaN;
  return Number.isNaN(at) ? undefined : epochMs(at);
}

function stepsOf(value: unknown): Readonly<Record<string, StepRecord>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null) throw unreadable('no map in steps');
  return Object.fromEntries(Object.entries(value).map(([name, step]) => [name, stepOf(step)]));
}

function stepOf(step: unknown): StepRecord {
  if (typeof step !== 'object' || step === null || !('finishedAt' in step) || typeof step.finishedAt !== 'string') {
    throw unreadable('a step without its time');
  }
  return 'value' in step ? { value: step.value, finishedAt: step.finishedAt } : { finishedAt: step.finishedAt };
}
