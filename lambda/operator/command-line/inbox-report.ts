import { type EpochSeconds, epochMs, toIso } from '../../core/time.ts';
import type { InboxRecord, ListedRow } from '../deployment/inbox-port.ts';
import { printable } from '../printable.ts';

/** A row as JSON: what it holds of the event, without values that handlers made, and without the claim token. */
export const rowAsJson = ({ row, processedAt, lastError, history }: InboxRecord) => ({
  source: row.source,
  eventId: row.eventId,
  type: row.type,
  status: row.status,
  receivedAt: toIso(row.receivedAt),
  processedAt: processedAt ?? null,
  leaseUntil: row.leaseUntil === undefined ? null : toIso(row.leaseUntil),
  attempts: row.attempts,
  failures: row.failures,
  bodyHash: row.bodyHash,
  expiresAt: expiry(row.expiresAt) ?? null,
  steps: Object.entries(row.steps).map(([name, { finishedAt }]) => ({ name, finishedAt })),
  lastError: lastError ?? null,
  history,
});

/** A row for people, a line each. */
export function rowAsText({ row, processedAt, lastError, history }: InboxRecord): readonly string[] {
  const lines: (readonly [string, string | undefined])[] = [
    ['status', row.status],
    ['type', row.type],
    ['received', toIso(row.receivedAt)],
    ['processed', processedAt],
    ['claimed until', row.leaseUntil === undefined ? undefined : toIso(row.leaseUntil)],
    ['attempts', `${row.attempts} begun, ${row.failures} failed`],
    ['last error', lastError === undefined ? undefined : `${lastError.name}: ${lastError.message} (${lastError.at})`],
    ...Object.entries(row.steps).map(([name, step]) => ['step done', `${name} (${step.finishedAt})`] as const),
    ...history.map(({ at, by, reason, was }) => ['cleared', `${at} by ${by}, was ${was}: ${reason}`] as const),
    ['body sha256', row.bodyHash],
    ['forgotten', expiry(row.expiresAt) ?? 'never, while it has this status'],
  ];
  return [
    printable(`${row.source} ${row.eventId}`),
    ...lines.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(13)}  ${printable(value)}`])),
  ];
}

export const LIST_HEADER = `${'status'.padEnd(10)}  ${'received'.padEnd(24)}  tries  event`;

/** One line for people. */
export function listedAsText(listed: ListedRow): string {
  if (listed.kind === 'unreadable') return printable(`unreadable  ${listed.key}: ${listed.reason}`);
  const { row, lastError } = listed.record;
  const error = lastError === undefined ? '' : `  ${lastError.name}: ${lastError.message}`;
  const tries = String(row.attempts).padStart(5);
  return printable(
    `${row.status.padEnd(10)}  ${toIso(row.receivedAt)}  ${tries}  ${row.source} ${row.eventId} (${row.type})${error}`,
  );
}

export const listedAsJson = (listed: ListedRow) =>
  listed.kind === 'unreadable'
    ? { kind: 'unreadable', key: listed.key, reason: listed.reason }
    : { kind: 'event', ...rowAsJson(listed.record) };

const expiry = (at: EpochSeconds | undefined): string | undefined =>
  at === undefined ? undefined : toIso(epochMs(at * 1000));
