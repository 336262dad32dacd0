import { defineSources, github, standardWebhooks, stripe } from '../oncehook.ts';
import { countCommits } from './count-commits.ts';
import { creditInvoice } from './credit-invoice.ts';
import { creditSlip } from './credit-slip.ts';
import { setPlan } from './set-plan.ts';

/** The integrations of the example. Each key is the last part of the source's URL. */
export const sources = defineSources({
  stripe: { provider: stripe(), on: { 'invoice.paid': creditInvoice } },
  github: { provider: github(), on: { push: countCommits } },
  bazaar: {
    provider: standardWebhooks(),
    on: {
      'slip.credited': creditSlip,
      'account.updated': {
        handle: setPlan,
        order: { resource: (event) => event.body.data.account, sequence: (event) => event.body.data.sequence },
      },
    },
  },
});
