import { Permanent, type Work } from '../oncehook.ts';
import { tables } from './tables.ts';

/**
 * Adds `amount` to an account and asks for a receipt: the operation that must not
 * happen twice. Both are committed together with the mark that the event is done.
 *
 * @param amount Whole minor units (cents), as providers send them. A fraction or a text is never
 * rounded or guessed at.
 * @throws Permanent for anything else: the same event can never carry another amount.
 */
export function credit(work: Work, account: string, amount: number | bigint): void {
  if (typeof amount !== 'bigint' && !Number.isSafeInteger(amount)) {
    throw new Permanent('the amount is not a whole number of minor units');
  }
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
