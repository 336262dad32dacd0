import { describe, expect, it } from 'vitest';
import { countCommits } from '../../../lambda/handlers/count-commits.ts';
import { creditInvoice, type InvoicePaid } from '../../../lambda/handlers/credit-invoice.ts';
import { creditSlip } from '../../../lambda/handlers/credit-slip.ts';
import { setPlan } from '../../../lambda/handlers/set-plan.ts';
import { attempt } from '../../../lambda/testing.ts';

const creditOf = (account: string, amount: number | bigint) => ({
  writes: [
    {
      Update: {
        TableName: 'accounts',
        Key: { accountId: account },
        UpdateExpression: 'ADD balance :amount, entries :one',
        ExpressionAttributeValues: { ':amount': amount, ':one': 1 },
      },
    },
  ],
  messages: [{ topic: 'receipt.requested', payload: { account, amount }, group: undefined }],
  result: { account },
});

const invoice = (changes: Partial<InvoicePaid['data']['object']>): InvoicePaid => ({
  data: { object: { customer: 'cus_1', amount_paid: 4900, ...changes } },
});

describe('the example', () => {
  it('credits the customer with what was paid', async () => {
    expect(await attempt(creditInvoice, { body: invoice({}) })).toMatchObject(creditOf('cus_1', 4900));
  });

  it('keeps every digit of a large amount', async () => {
    const amount = 9_007_199_254_740_993n;

    expect(await attempt(creditInvoice, { body: invoice({ amount_paid: amount }) })).toMatchObject(
      creditOf('cus_1', amount),
    );
  });

  it.each([1999, -1, 0, 100_000_000_000_001])('takes %d minor units as they are', async (amount) => {
    const attempted = await attempt(creditSlip, { body: { data: { account: 'a', amount } } });

    expect(attempted.messages).toMatchObject([{ payload: { amount } }]);
  });

  it.each([19.99, '19.99', '1999', '1e3', '', null, undefined, Number.NaN, 2 ** 53])(
    'never guesses what %j minor units may mean',
    async (amount) => {
      const attempted = await attempt(creditSlip, { body: { data: { account: 'a', amount: amount as never } } });

      expect(attempted).toMatchObject({ outcome: 'permanent', writes: [], messages: [] });
    },
  );

  it('gives up on an invoice without a customer', async () => {
    const attempted = await attempt(creditInvoice, { body: invoice({ customer: null }) });

    expect(attempted).toMatchObject({
      outcome: 'permanent',
      error: { message: 'the invoice has no customer to credit' },
      writes: [],
    });
  });

  it('counts the commits of a push', async () => {
    const body = { repository: { full_name: 'borogove/tea-cosy' }, commits: [{}, {}] };

    expect(await attempt(countCommits, { body })).toMatchObject(creditOf('repo:borogove/tea-cosy', 2));
  });

  it('credits the account of a slip', async () => {
    expect(await attempt(creditSlip, { body: { data: { account: 'acct-1', amount: 250 } } })).toMatchObject(
      creditOf('acct-1', 250),
    );
  });

  it('sets the plan in the order of the sequence', async () => {
    const rule = {
      handle: setPlan,
      order: { resource: () => 'acct-1', sequence: () => 7 },
    };

    const attempted = await attempt(rule, { body: { data: { account: 'acct-1', plan: 'pro', sequence: 7 } } });

    expect(attempted).toMatchObject({
      outcome: 'committed',
      order: { resource: 'acct-1', sequence: '7', tie: 'drop' },
      writes: [{ Update: { ExpressionAttributeValues: { ':plan': 'pro' } } }],
      messages: [],
    });
  });
});
