import { ATTENTION_SHARDS } from '../contract.ts';
import type { InboxStatus } from '../core/inbox-row.ts';
import type { AttentionStatus, ListedRow, OperatorInbox } from './deployment/inbox-port.ts';
import { Refusal } from './refusal.ts';

/** What to list. */
export interface ListWish {
  /** Absent for every status that the way of reading can list. */
  readonly status: InboxStatus | undefined;
  readonly source: string | undefined;
  /** Reads the whole table in place of the attention index. */
  readonly all: boolean;
}

const ATTENTION: readonly AttentionStatus[] = ['failed', 'parked'];

/**
 * Rows of the inbox, a page at a time. Without `all`, those that wait for somebody, by their sparse index: a page
 * for each of its shards at least.
 *
 * @throws Refusal for a status that only a scan can find.
 */
export function listInbox(
  inbox: OperatorInbox,
  { status, source, all }: ListWish,
): AsyncIterable<readonly ListedRow[]> {
  const prefix = source === undefined ? '' : `${source}#`;
  const isWanted = (row: ListedRow): boolean => {
    if (row.kind === 'unreadable') return row.key.startsWith(prefix);
    const { key, status: has } = row.record.row;
    return key.startsWith(prefix) && (status === undefined || has === status);
  };
  if (all) return filtered([inbox.scan()], isWanted);
  const statuses = ATTENTION.filter((each) => status === undefined || each === status);
  if (statuses.length === 0) {
    throw new Refusal(
      `only failed and parked events have an index (of ${ATTENTION_SHARDS} shards each): add --all to look for ${status} ones in the whole table`,
    );
  }
  return filtered(
    statuses.map((each) => inbox.attention(each)),
    isWanted,
  );
}

async function* filtered(
  lists: readonly AsyncIterable<readonly ListedRow[]>[],
  isWanted: (row: ListedRow) => boolean,
): AsyncIterable<readonly ListedRow[]> {
  for (const list of lists) for await (const page of list) yield page.filter(isWanted);
}
