/**
 * The commit as the SDK input it will be: built once, so that every sending is the same bytes.
 *
 * Index 0 is the inbox row and guards all the rest: the outbox puts need no condition, because they
 * happen only if the claim still holds. Index 1 is the sequence row, where the event has an order.
 */
import type { TransactWriteItem as RawWrite, TransactWriteItemsCommandInput, Update } from '@aws-sdk/client-dynamodb';
import { encodeItem } from '../../core/attribute-value.ts';
import { OncehookError } from '../../core/errors.ts';
import { sequenceKey } from '../../core/inbox-key.ts';
import type { EventOrder } from '../../core/order.ts';
import type { CommitRequest, OutboxMessage } from '../../core/ports.ts';
import type { EpochMs } from '../../core/time.ts';
import { buildProcessed } from './build-inbox-writes.ts';

export interface TableNames {
  readonly inbox: string;
  /** Absent where nothing is emitted: in a consumer. */
  readonly outbox?: string;
  /** Absent where nothing has an order. */
  readonly sequences?: string;
}

export const hasOnlyInboxRow = (request: CommitRequest): boolean =>
  request.order === undefined && request.writes.length === 0 && request.messages.length === 0;

/** @throws OncehookError `INVALID_WORK` for a message or an order without a table for it. */
export function buildCommit(tables: TableNames, request: CommitRequest): TransactWriteItemsCommandInput {
  const { ReturnValues: _, ...processed } = buildProcessed(tables.inbox, request);
  return {
    ClientRequestToken: request.claim.token,
    TransactItems: [
      { Update: asUpdate(processed) },
      ...(request.order === undefined
        ? []
        : [{ Update: advanceSequence(present(tables.sequences, 'order'), request, request.order) }]),
      ...request.writes.map(({ operation, input }): RawWrite => ({ [operation]: input })),
      ...request.messages.map((message) =>
        putMessage(present(tables.outbox, 'outbox message'), message, request.committedAt),
      ),
    ],
  };
}

function present(table: string | undefined, what: string): string {
  if (table !== undefined) return table;
  throw new OncehookError('INVALID_WORK', `an ${what} has no table in this function`, { retryable: false });
}

const asUpdate = (input: ReturnType<typeof buildProcessed>): Update => ({
  TableName: input.TableName,
  Key: input.Key,
  UpdateExpression: input.UpdateExpression,
  ConditionExpression: input.ConditionExpression,
  ExpressionAttributeNames: input.ExpressionAttributeNames,
  ExpressionAttributeValues: input.ExpressionAttributeValues,
  ReturnValuesOnConditionCheckFailure: input.ReturnValuesOnConditionCheckFailure,
});

// An older event finds a higher number and the whole commit is refused. The last line lets the very
// event through that advanced the sequence: an operator's replay must not be superseded by itself.
function advanceSequence(table: string, request: CommitRequest, order: EventOrder): Update {
  const { event } = request.claim;
  return {
    TableName: table,
    Key: encodeItem({ resource: sequenceKey(event.source, order.resource) }),
    UpdateExpression: 'SET lastSequence = :sequence, eventId = :eventId',
    ConditionExpression:
      `attribute_not_exists(lastSequence) OR lastSequence ${order.tie === 'apply' ? '<=' : '<'} :sequence ` +
      'OR (lastSequence = :sequence AND eventId = :eventId)',
    ExpressionAttributeValues: { ':sequence': { N: order.sequence }, ':eventId': { S: event.eventId } },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

const putMessage = (table: string, message: OutboxMessage, at: EpochMs): RawWrite => ({
  Put: {
    TableName: table,
    Item: encodeItem({
      id: message.id,
      topic: message.topic,
      payload: message.payload,
      ...(message.group === undefined ? {} : { group: message.group }),
      createdAtMs: at,
      dueAtMs: at,
      state: 'new',
      attempts: 0,
    }),
  },
});
