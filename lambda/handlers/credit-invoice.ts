import { type Handler, Permanent } from '../oncehook.ts';
import { credit } from './credit.ts';

/** The part of Stripe's `invoice.paid` event that the example reads. */
export interface InvoicePaid {
  readonly data: {
    readonly object: {
      readonly customer: string | null;
      /** Minor units of the invoice's currency. */
      readonly amount_paid: number | bigint;
    };
  };
}

/** Credits the customer with what was paid. */
export const creditInvoice: Handler<InvoicePaid> = async (event, work) => {
  const { customer, amount_paid: amountPaid } = event.body.data.object;
  if (customer === null) throw new Permanent('the invoice has no customer to credit');

  credit(work, customer, amountPaid);
  return { account: customer };
};
