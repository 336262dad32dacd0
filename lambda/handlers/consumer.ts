import { onceConsumer } from '../oncehook.ts';
import { tables } from './tables.ts';

/** What a credit emits as `receipt.requested`. */
interface ReceiptRequest {
  readonly account: string;
}

/**
 * The consumer of the outbox queue: counts the receipts of an account. `undefined` in its place leaves the
 * queue to a consumer of your own.
 */
export const consumer = onceConsumer<ReceiptRequest>(async ({ payload }, work) => {
  work.write({
    Update: {
      TableName: tables.accounts,
      Key: { accountId: payload.account },
      UpdateExpression: 'ADD receipts :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  });
});
