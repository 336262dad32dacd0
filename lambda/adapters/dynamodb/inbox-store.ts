import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { encodeItem } from '../../core/attribute-value.ts';
import { OncehookError } from '../../core/errors.ts';
import type { InboxRow } from '../../core/inbox-row.ts';
import type { Claim, FencedAnswer, InboxStore, WriteAnswer } from '../../core/ports.ts';
import { buildCommit, hasOnlyInboxRow, type TableNames } from './build-commit.ts';
import {
  buildGiveBack,
  buildProcessed,
  buildPutClaim,
  buildRecordStep,
  buildReplaceForgotten,
  buildSupersede,
  buildTakeOver,
} from './build-inbox-writes.ts';
import { decodeRow } from './inbox-item.ts';
import { itemOf, sendTransaction, sendUpdate } from './send-commit.ts';
import { isConditionFailed, isTransactionConflict, translateError } from './translate-error.ts';
import type { WireItem } from './wire-item.ts';

/** The inbox in DynamoDB. Each method builds, sends and translates; the decisions are in `process/`. */
export function createInboxStore(client: Pick<DynamoDBClient, 'send'>, tables: TableNames): InboxStore {
  const read = async (key: string): Promise<InboxRow | undefined> => {
    try {
      const { Item: item } = await client.send(
        new GetItemCommand({ TableName: tables.inbox, Key: encodeItem({ id: key }), ConsistentRead: true }),
      );
      return item === undefined ? undefined : decodeRow(item);
    } catch (error) {
      throw error instanceof OncehookError ? error : translateError(error, 'read');
    }
  };

  /** What a refused claim write means: the row as it is now, or that it is gone. */
  const refused = async (error: unknown, key: string, doing: string): Promise<WriteAnswer> => {
    if (isTransactionConflict(error)) return { kind: 'committing' };
    if (!isConditionFailed(error)) throw translateError(error, doing);
    const item = itemOf(error);
    const row = item === undefined ? await read(key) : decodeRow(item);
    return row === undefined ? { kind: 'gone' } : { kind: 'exists', row };
  };

  const put = async (
    input: PutItemCommandInput & { readonly Item: WireItem },
    key: string,
    doing: string,
  ): Promise<WriteAnswer> => {
    try {
      await client.send(new PutItemCommand(input));
    } catch (error) {
      return refused(error, key, doing);
    }
    return { kind: 'written', row: decodeRow(input.Item) };
  };

  const fenced = async (
    input: UpdateItemCommandInput,
    claim: Claim,
    doing: string,
    done: InboxRow['status'],
  ): Promise<FencedAnswer> => {
    try {
      await client.send(new UpdateItemCommand(input));
      return 'written';
    } catch (error) {
      if (!isConditionFailed(error)) throw translateError(error, doing);
      const item = itemOf(error);
      const row = item === undefined ? await read(claim.event.key) : decodeRow(item);
      if (row === undefined || row.claimToken !== claim.token) return 'claim-lost';
      // My own token in the state I wanted: this write was applied and its answer lost.
      if (row.status === done) return 'written';
      return row.status === 'processed' || row.status === 'superseded' ? 'committed' : 'claim-lost';
    }
  };

  return {
    read,
    putClaim: (wanted) => put(withItem(buildPutClaim(tables.inbox, wanted)), wanted.event.key, 'claim'),
    replaceForgotten: (wanted, seen) =>
      put(withItem(buildReplaceForgotten(tables.inbox, wanted, seen)), wanted.event.key, 'claim'),
    async takeOver(wanted, seen, counts) {
      try {
        const { Attributes: item } = await client.send(
          new UpdateItemCommand(buildTakeOver(tables.inbox, wanted, seen, counts)),
        );
        return { kind: 'written', row: decodeRow(item ?? {}) };
      } catch (error) {
        if (error instanceof OncehookError) throw error;
        return refused(error, seen.key, 'take over');
      }
    },
    recordStep: (claim, name, step) =>
      fenced(buildRecordStep(tables.inbox, claim, name, step), claim, 'record a step', 'claimed'),
    supersede: (claim, at, expiresAt) =>
      fenced(buildSupersede(tables.inbox, claim, at, expiresAt), claim, 'supersede', 'superseded'),
    release: (claim, at, error, counts) =>
      fenced(buildGiveBack(tables.inbox, claim, 'failed', at, error, counts), claim, 'release', 'failed'),
    park: (claim, at, error, counts) =>
      fenced(buildGiveBack(tables.inbox, claim, 'parked', at, error, counts), claim, 'park', 'parked'),
    prepareCommit(request) {
      const readRow = () => read(request.claim.event.key);
      if (hasOnlyInboxRow(request)) {
        const update = buildProcessed(tables.inbox, request);
        return () => sendUpdate(client, update, request, readRow);
      }
      const transaction = buildCommit(tables, request);
      return () => sendTransaction(client, transaction, request, readRow);
    },
  };
}

const withItem = (input: PutItemCommandInput): PutItemCommandInput & { readonly Item: WireItem } => ({
  ...input,
  Item: input.Item ?? {},
});
