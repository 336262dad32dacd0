/**
 * Sends a commit and reads the answer. Outcomes are values; only a wrong deployment is an error.
 */
import {
  type DynamoDBClient,
  type CancellationReason as RawReason,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { decodeItem } from '../../core/attribute-value.ts';
import { readCancellation, readInboxRow } from '../../core/commit-verdict.ts';
import type { InboxRow } from '../../core/inbox-row.ts';
import type { CommitAnswer, CommitRequest, RefusedWrite } from '../../core/ports.ts';
import { decodeRow } from './inbox-item.ts';
import {
  isConditionFailed,
  isMisconfigured,
  isThrottled,
  isTransactionConflict,
  nameOf,
  translateError,
} from './translate-error.ts';
import { fromWire, type WireItem } from './wire-item.ts';

type Sender = Pick<DynamoDBClient, 'send'>;

/** @param readRow A strongly consistent read of the inbox row, for a refusal that came without it. */
export async function sendTransaction(
  client: Sender,
  input: TransactWriteItemsCommandInput,
  request: CommitRequest,
  readRow: () => Promise<InboxRow | undefined>,
): Promise<CommitAnswer> {
  try {
    await client.send(new TransactWriteItemsCommand(input));
    return { kind: 'committed' };
  } catch (error) {
    const reasons = reasonsOf(error);
    if (reasons === undefined) return readFailure(error);

    const inboxFailed = reasons[0]?.Code === 'ConditionalCheckFailed';
    const verdict = readCancellation(
      reasons.map((reason) => ({ code: reason.Code ?? 'None', message: reason.Message })),
      {
        inboxRow: inboxFailed ? await oldRow(reasons[0]?.Item, readRow) : undefined,
        token: request.claim.token,
        hasOrder: request.order !== undefined,
      },
    );
    if (verdict.kind !== 'condition-failed') return verdict;
    const ownItems = request.order === undefined ? 1 : 2;
    return {
      kind: 'condition-failed',
      refused: refusedWrite(request, verdict.index, reasons[verdict.index + ownItems]?.Item),
    };
  }
}

/** The cheaper commit of an event that wrote nothing: one update with the same condition. */
export async function sendUpdate(
  client: Sender,
  input: UpdateItemCommandInput,
  request: CommitRequest,
  readRow: () => Promise<InboxRow | undefined>,
): Promise<CommitAnswer> {
  try {
    await client.send(new UpdateItemCommand(input));
    return { kind: 'committed' };
  } catch (error) {
    if (!isConditionFailed(error)) return readFailure(error);
    return readInboxRow(await oldRow(itemOf(error), readRow), request.claim.token);
  }
}

function readFailure(error: unknown): CommitAnswer {
  if (isMisconfigured(error)) throw translateError(error, 'commit');
  if (isThrottled(error)) return { kind: 'busy', reason: 'throttled' };
  if (isTransactionConflict(error)) return { kind: 'busy', reason: 'conflict' };
  // DynamoDB checked the request and refused it as a whole: nothing was written, and nothing ever will be.
  if (nameOf(error) === 'ValidationException')
    return { kind: 'invalid', message: error instanceof Error ? error.message : 'refused' };
  return { kind: 'unknown', message: nameOf(error) || 'no answer' };
}

// Some versions leave the item out of the refusal, so its absence is asked about before it is believed.
const oldRow = async (
  item: WireItem | undefined,
  readRow: () => Promise<InboxRow | undefined>,
): Promise<InboxRow | undefined> => (item === undefined ? await readRow() : decodeRow(item));

/** The item that came with a failed condition, in wire form: the SDK never decodes it. */
export const itemOf = (error: unknown): WireItem | undefined =>
  typeof error === 'object' && error !== null && 'Item' in error ? (error.Item as WireItem | undefined) : undefined;

const reasonsOf = (error: unknown): readonly RawReason[] | undefined =>
  nameOf(error) === 'TransactionCanceledException' &&
  typeof error === 'object' &&
  error !== null &&
  'CancellationReasons' in error
    ? (error.CancellationReasons as readonly RawReason[] | undefined)
    : undefined;

function refusedWrite(request: CommitRequest, index: number, item: WireItem | undefined): RefusedWrite {
  const write = request.writes[index];
  return {
    table: write?.table ?? 'unknown',
    key: decodeItem(write?.attributes ?? {}),
    item: item === undefined ? undefined : decodeItem(fromWire(item)),
  };
}
