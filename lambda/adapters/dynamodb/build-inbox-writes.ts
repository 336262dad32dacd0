/**
 * Every single write to the inbox, as the SDK input it will be. Each condition says in its name
 * what it defends; `process/claim.ts` and `process/process-event.ts` tell the races.
 */
import type { PutItemCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { type AttributeValue, encodeItem } from '../../core/attribute-value.ts';
import type { InboxRow } from '../../core/inbox-row.ts';
import type { FailureSummary } from '../../core/outcome.ts';
import type { AttemptCounts, Claim, CommitRequest, WantedClaim } from '../../core/ports.ts';
import { type EpochMs, type EpochSeconds, toIso } from '../../core/time.ts';
import { attentionOf, encodeFreshRow } from './inbox-item.ts';

const RETURN_OLD = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** The fence: only the holder of the claim, and only while it is one. */
const STILL_MINE = 'claimToken = :mine AND #status = :claimed';
const fence = (claim: Claim) => ({ ':mine': claim.token, ':claimed': 'claimed' });

/** Lets one of many concurrent copies through. */
export const buildPutClaim = (table: string, wanted: WantedClaim): PutItemCommandInput => ({
  TableName: table,
  Item: encodeFreshRow(wanted),
  ConditionExpression: 'attribute_not_exists(id)',
  ...RETURN_OLD,
});

/** The row is finished and its window over: unchanged since, or somebody was faster. */
export const buildReplaceForgotten = (table: string, wanted: WantedClaim, seen: InboxRow): PutItemCommandInput => ({
  TableName: table,
  Item: encodeFreshRow(wanted),
  ConditionExpression: 'claimToken = :old AND expiresAt = :seen',
  ExpressionAttributeValues: encodeItem({ ':old': seen.claimToken, ':seen': seen.expiresAt ?? 0 }),
  ...RETURN_OLD,
});

/** Two workers see one lapsed row: the second finds another token. Its holder commits meanwhile: another status. */
export const buildTakeOver = (
  table: string,
  wanted: WantedClaim,
  seen: InboxRow,
  counts: AttemptCounts,
): UpdateItemCommandInput => ({
  TableName: table,
  Key: encodeItem({ id: seen.key }),
  UpdateExpression:
    'SET #status = :claimed, claimToken = :mine, leaseUntilMs = :lease, attempts = :attempts, failures = :failures, ' +
    'bodyHash = :bodyHash, steps = if_not_exists(steps, :noSteps) REMOVE attention',
  ConditionExpression: 'claimToken = :old AND #status = :seen',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: encodeItem({
    ':claimed': 'claimed',
    ':mine': wanted.token,
    ':lease': wanted.leaseUntil,
    ':attempts': counts.attempts,
    ':failures': counts.failures,
    ':bodyHash': wanted.event.bodyHash,
    ':noSteps': {},
    ':old': seen.claimToken,
    ':seen': seen.status,
  }),
  ReturnValues: 'ALL_NEW',
  ...RETURN_OLD,
});

export const buildRecordStep = (
  table: string,
  claim: Claim,
  name: string,
  step: AttributeValue,
): UpdateItemCommandInput => ({
  TableName: table,
  Key: encodeItem({ id: claim.event.key }),
  UpdateExpression: 'SET steps.#step = :step',
  ConditionExpression: STILL_MINE,
  ExpressionAttributeNames: { '#status': 'status', '#step': name },
  ExpressionAttributeValues: { ...encodeItem(fence(claim)), ':step': step },
  ...RETURN_OLD,
});

/**
 * Gives the claim back, for others or for nobody but an operator. The row stays and loses its expiry: its presence
 * proves that nothing was applied. The counts are the holder's own: only it may write them, as the fence says.
 */
export const buildGiveBack = (
  table: string,
  claim: Claim,
  status: 'failed' | 'parked',
  at: EpochMs,
  error: FailureSummary,
  counts: AttemptCounts,
): UpdateItemCommandInput => ({
  TableName: table,
  Key: encodeItem({ id: claim.event.key }),
  UpdateExpression:
    'SET #status = :status, attempts = :attempts, failures = :failures, lastError = :error, attention = :attention ' +
    'REMOVE leaseUntilMs, expiresAt',
  ConditionExpression: STILL_MINE,
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: encodeItem({
    ...fence(claim),
    ':status': status,
    ':attempts': counts.attempts,
    ':failures': counts.failures,
    ':error': { name: error.name, message: error.message, at: toIso(at) },
    ':attention': attentionOf(status, claim.event.key),
  }),
  ...RETURN_OLD,
});

/** Ends an event whose order was passed: like a commit, with nothing in it. */
export const buildSupersede = (
  table: string,
  claim: Claim,
  at: EpochMs,
  expiresAt: EpochSeconds | undefined,
): UpdateItemCommandInput => finish(table, claim, 'superseded', at, expiresAt, undefined);

/** Marks the event as applied; alone, or as the first item of the transaction. */
export const buildProcessed = (table: string, request: CommitRequest): UpdateItemCommandInput =>
  finish(table, request.claim, 'processed', request.committedAt, request.expiresAt, request.result);

function finish(
  table: string,
  claim: Claim,
  status: 'processed' | 'superseded',
  at: EpochMs,
  expiresAt: EpochSeconds | undefined,
  result: CommitRequest['result'],
): UpdateItemCommandInput {
  const sets = ['#status = :status', 'processedAt = :at'];
  const removes = ['leaseUntilMs', 'steps', 'lastError', 'attention'];
  if (expiresAt === undefined) removes.push('expiresAt');
  else sets.push('expiresAt = :expiresAt');
  if (result !== undefined) sets.push('#result = :result');
  return {
    TableName: table,
    Key: encodeItem({ id: claim.event.key }),
    UpdateExpression: `SET ${sets.join(', ')} REMOVE ${removes.join(', ')}`,
    ConditionExpression: STILL_MINE,
    ExpressionAttributeNames: { '#status': 'status', ...(result === undefined ? {} : { '#result': 'result' }) },
    ExpressionAttributeValues: {
      ...encodeItem({
        ...fence(claim),
        ':status': status,
        ':at': toIso(at),
        ...(expiresAt === undefined ? {} : { ':expiresAt': expiresAt }),
      }),
      ...(result === undefined ? {} : { ':result': result }),
    },
    ...RETURN_OLD,
  };
}
