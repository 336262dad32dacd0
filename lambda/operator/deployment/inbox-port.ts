import type { InboxRow, InboxStatus } from '../../core/inbox-row.ts';
import type { TableSize } from './scan-cost.ts';

/** What an operator did to an event, as its row keeps it. */
export interface HistoryEntry {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  /** The status before. */
  readonly was: InboxStatus;
  /** When it had been applied, if it had. ISO 8601 in UTC. */
  readonly processedAt: string | undefined;
}

/** A row with what only people look at. */
export interface InboxRecord {
  readonly row: InboxRow;
  readonly processedAt: string | undefined;
  readonly lastError: { readonly name: string; readonly message: string; readonly at: string } | undefined;
  /** The oldest first. */
  readonly history: readonly HistoryEntry[];
}

/** What is listed; a row that nobody can read has its key alone. */
export type ListedRow =
  | { readonly kind: 'row'; readonly record: InboxRecord }
  | { readonly kind: 'unreadable'; readonly key: string; readonly reason: string };

/** Statuses of the attention index. */
export type AttentionStatus = 'failed' | 'parked';

/** The inbox, as an operator reaches it. Every method throws a Refusal when it cannot be reached. */
export interface OperatorInbox {
  /** Strongly consistent. @throws OncehookError `ROW_UNREADABLE` */
  read(key: string): Promise<InboxRecord | undefined>;
  /** By the attention index, a page at a time and in no order. A row that has another status by now is left out. */
  attention(status: AttentionStatus): AsyncIterable<readonly ListedRow[]>;
  /** All rows, a page at a time and in no order. */
  scan(): AsyncIterable<readonly ListedRow[]>;
  size(): Promise<TableSize>;
  /**
   * Makes an event claimable again, unless its row changed since it was seen. The row stays without an expiry:
   * its presence says that somebody wants the event applied.
   */
  clear(seen: InboxRecord, entry: HistoryEntry): Promise<'cleared' | 'changed'>;
}
