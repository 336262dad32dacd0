/**
 * The sources of the proof run: the example's own handlers, made to fail at the first attempt where
 * the event asks for it, and one with a call to the outside in a step.
 */
import { countCommits } from '../lambda/handlers/count-commits.ts';
import { creditInvoice } from '../lambda/handlers/credit-invoice.ts';
import { creditSlip, type SlipCredited } from '../lambda/handlers/credit-slip.ts';
import { defineSources, github, type Handler, standardWebhooks, stripe } from '../lambda/oncehook.ts';

/** What the proof run adds to every body. */
export interface DemoWishes {
  readonly demo: {
    readonly failsFirst: boolean;
    /** Where the step's call goes. */
    readonly outside: string;
  };
}

const failingFirst =
  <Body>(handler: Handler<Body>): Handler<Body & DemoWishes> =>
  async (event, work) => {
    if (event.body.demo.failsFirst && work.attempt === 1) throw new Error('the first attempt fails, as planned');
    return handler(event, work);
  };

/** Tells the outside once, then credits. */
const creditAndTell: Handler<SlipCredited & DemoWishes> = async (event, work) => {
  await work.step('tell', async (key) => {
    const answer = await fetch(event.body.demo.outside, { method: 'POST', body: key, signal: work.signal });
    return { status: answer.status };
  });
  return creditSlip(event, work);
};

export const sources = defineSources({
  stripe: { provider: stripe(), on: { 'invoice.paid': failingFirst(creditInvoice) } },
  github: { provider: github(), on: { push: failingFirst(countCommits) } },
  bazaar: { provider: standardWebhooks(), on: { 'slip.credited': failingFirst(creditAndTell) } },
});
