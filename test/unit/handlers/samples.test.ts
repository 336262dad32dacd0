import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../../lambda/core/handler.ts';
import { countCommits, type Push } from '../../../lambda/handlers/count-commits.ts';
import { creditInvoice, type InvoicePaid } from '../../../lambda/handlers/credit-invoice.ts';
import { creditSlip, type SlipCredited } from '../../../lambda/handlers/credit-slip.ts';
import { type AccountUpdated, setPlan } from '../../../lambda/handlers/set-plan.ts';
import { sources } from '../../../lambda/handlers/sources.ts';
import { samplesOf } from '../../../lambda/operator/samples/samples-of.ts';
import { attempt } from '../../../lambda/testing.ts';
import { T0 } from '../../support/manual-clock.ts';

process.env['ONCEHOOK_TABLE_accounts'] = 'Accounts';

/** As a handler would get it. */
function sample<Body>(source: string, type: string): { readonly body: Body } {
  const provider = sources.get(source)?.provider;
  const build = provider === undefined ? undefined : samplesOf(provider).types[type];
  return { body: JSON.parse(JSON.stringify(build?.({ id: 'id-1', type, now: T0 }))) };
}

describe('the samples of the example', () => {
  it('credit 4900 minor units for a paid invoice', async () => {
    const { messages } = await attempt(creditInvoice, sample<InvoicePaid>('stripe', 'invoice.paid'));

    expect(messages[0]?.payload).toEqual({ account: 'cus_sample_lighthouse', amount: 4900 });
  });

  it('push two commits', async () => {
    const { messages } = await attempt(countCommits, sample<Push>('github', 'push'));

    expect(messages[0]?.payload).toEqual({ account: 'repo:harbour-tools/tide-table', amount: 2 });
  });

  it('credit a slip', async () => {
    const { messages } = await attempt(creditSlip, sample<SlipCredited>('bazaar', 'slip.credited'));

    expect(messages[0]?.payload).toEqual({ account: 'stall-17', amount: 1250 });
  });

  it('change a plan, later ones with a higher sequence', async () => {
    const { outcome } = await attempt(setPlan, sample<AccountUpdated>('bazaar', 'account.updated'));

    const { body } = sample<WebhookEvent<AccountUpdated>['body']>('bazaar', 'account.updated');
    expect(outcome).toBe('committed');
    expect(body.data.sequence).toBe(T0);
  });

  it('are one for every event type that the example handles', () => {
    const missing = [...sources.values()].flatMap(({ provider, rules }) =>
      [...rules.keys()].filter((type) => samplesOf(provider).types[type] === undefined),
    );

    expect(missing).toEqual([]);
  });
});
