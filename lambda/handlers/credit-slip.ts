import type { Handler } from '../oncehook.ts';
import { credit } from './credit.ts';

/** A numbered slip that moves money to an account. */
export interface SlipCredited {
  readonly data: {
    readonly account: string;
    /** Minor units. */
    readonly amount: number | bigint;
  };
}

/** Credits the account that the slip names. */
export const creditSlip: Handler<SlipCredited> = async (event, work) => {
  const { account, amount } = event.body.data;

  credit(work, account, amount);
  return { account };
};
