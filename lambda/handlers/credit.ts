import type { Work } from '../oncehook.ts';
import { tables } from './tables.ts';

/**
 * Adds `amount` to an account and asks for a receipt: the operation that must not
 * happen twice. Both are committed together with the mark that the event is done.
 *
 * @param amount Whole minor units (cents), as providers send them; never a fraction.
 */
export function credit(work: Work, account: string, amount: number | bigint): void {
  work.write({
    Update: {
      TableName: tables.accounts,
      Key: { accountId: account },
      UpdateExpression: 'ADD balance :amount, entries :one',
      ExpressionAttributeValues: { ':amount': amount, ':one': 1 },
    },
  });
  work.emit('receipt.requested', { account, amount });
}
