import type { Handler } from '../oncehook.ts';
import { tables } from './tables.ts';

/** An account's current plan; `sequence` grows with every change of the account. */
export interface AccountUpdated {
  readonly data: {
    readonly account: string;
    readonly plan: string;
    readonly sequence: number | bigint | string;
  };
}

/** Sets the plan. The order rule in `sources.ts` drops an update that is older than the last one applied. */
export const setPlan: Handler<AccountUpdated> = async (event, work) => {
  const { account, plan } = event.body.data;

  work.write({
    Update: {
      TableName: tables.accounts,
      Key: { accountId: account },
      UpdateExpression: 'SET #plan = :plan',
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: { ':plan': plan },
    },
  });
  return { account };
};
