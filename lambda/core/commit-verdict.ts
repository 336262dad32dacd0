/**
 * Reads why DynamoDB refused a commit.
 *
 * The reasons of a cancelled transaction are positional: index 0 is the inbox row, index 1 the
 * sequence row where the event has an order, and the handler's writes follow. The first match
 * of DESIGN's table wins: what the inbox row says comes before anything else, because
 * after it nothing else matters.
 */
import { type InboxRow, isFinished } from './inbox-row.ts';

/** One entry of `CancellationReasons`. `code` is DynamoDB's. */
export interface CancellationReason {
  readonly code: string;
  readonly message: string | undefined;
}

export type CommitVerdict =
  | { readonly kind: 'committed' }
  /** Another worker finished the event. */
  | { readonly kind: 'duplicate' }
  /** The claim ended; nothing was written. */
  | { readonly kind: 'claim-lost' }
  /** A newer event of this resource was applied before. */
  | { readonly kind: 'superseded' }
  /** A condition of the handler's; `index` counts its writes from 0. */
  | { readonly kind: 'condition-failed'; readonly index: number }
  /** Another transaction holds an item, or DynamoDB throttles: the same commit may pass in a moment. */
  | { readonly kind: 'busy'; readonly reason: 'conflict' | 'throttled' }
  /** No repetition can pass. */
  | { readonly kind: 'invalid'; readonly message: string }
  /** It may or may not have been applied. */
  | { readonly kind: 'unknown'; readonly message: string };

/** What the inbox row alone can say. */
export type InboxVerdict = Extract<
  CommitVerdict,
  { readonly kind: 'committed' | 'duplicate' | 'claim-lost' | 'superseded' }
>;

const CONFLICT = ['TransactionConflict'];
const THROTTLED = ['ThrottlingError', 'ProvisionedThroughputExceeded', 'RequestLimitExceeded'];

/**
 * What the inbox row says after its condition failed.
 *
 * @param row `undefined` when the row is gone.
 */
export function readInboxRow(row: InboxRow | undefined, token: string): InboxVerdict {
  if (row === undefined || !isFinished(row)) return { kind: 'claim-lost' };
  if (row.claimToken !== token) return { kind: 'duplicate' };
  return row.status === 'processed' ? { kind: 'committed' } : { kind: 'superseded' };
}

/** @param inboxRow The old inbox row of reason 0, where there is one. */
export function readCancellation(
  reasons: readonly CancellationReason[],
  context: { readonly inboxRow: InboxRow | undefined; readonly token: string; readonly hasOrder: boolean },
): CommitVerdict {
  const failed = (index: number): boolean => reasons[index]?.code === 'ConditionalCheckFailed';
  if (failed(0)) return readInboxRow(context.inboxRow, context.token);
  if (context.hasOrder && failed(1)) return { kind: 'superseded' };

  const ownItems = context.hasOrder ? 2 : 1;
  const condition = reasons.findIndex((reason, index) => index >= ownItems && reason.code === 'ConditionalCheckFailed');
  if (condition >= 0) return { kind: 'condition-failed', index: condition - ownItems };

  const causes = reasons.filter((reason) => reason.code !== 'None');
  if (causes.length === 0) return { kind: 'unknown', message: 'the transaction was cancelled without a reason' };
  if (causes.every((reason) => CONFLICT.includes(reason.code) || THROTTLED.includes(reason.code))) {
    return { kind: 'busy', reason: causes.some((reason) => CONFLICT.includes(reason.code)) ? 'conflict' : 'throttled' };
  }
  const invalid = causes.find(
    (reason) => reason.code === 'ValidationError' || reason.code === 'ItemCollectionSizeLimitExceeded',
  );
  if (invalid !== undefined) return { kind: 'invalid', message: invalid.message ?? invalid.code };
  return {
    kind: 'unknown',
    message: `the transaction was cancelled: ${causes.map((reason) => reason.code).join(', ')}`,
  };
}
