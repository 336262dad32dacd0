import { defineSources, github, standardWebhooks, stripe } from '../../lambda/oncehook.ts';

const nothing = async (): Promise<void> => {};

/** Three sources as the example has them, for tests that must not depend on what the handlers of a project are. */
export const sources = defineSources({
  stripe: { provider: stripe(), on: { 'invoice.paid': nothing } },
  github: { provider: github(), on: { push: nothing } },
  bazaar: { provider: standardWebhooks(), on: { 'slip.credited': nothing, 'account.updated': nothing } },
});
