/**
 * The sources of the proof run: the example's own handlers, made to fail at as many attempts as the event asks for,
 * and one with a call to the outside in a step.
 */
import { countCommits } from '../lambda/handlers/count-commits.ts';
import { creditInvoice } from '../lambda/handlers/credit-invoice.ts';
import { creditSlip, type SlipCredited } from '../lambda/handlers/credit-slip.ts';
import { defineSources, github, type Handler, standardWebhooks, stripe } from '../lambda/oncehook.ts';

/** What the proof run adds to every body. */
export interface DemoWishes {
  readonly demo: {
    /** Attempts that fail. */
    readonly failures: number;
    /** Where the step's call goes. */
    readonly outside: string;
  };
}

/** After its work: nothing of an attempt that failed may be applied. */
const failing =
  <Body>(handler: Handler<Body>): Handler<Body & DemoWishes> =>
  async (event, work) => {
    const result = await handler(event, work);
    if (work.attempt <= event.body.demo.failures) throw new Error(`attempt ${work.attempt} fails, as planned`);
    return result;
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
  stripe: { provider: stripe(), on: { 'invoice.paid': failing(creditInvoice) } },
  github: { provider: github(), on: { push: failing(countCommits) } },
  bazaar: { provider: standardWebhooks(), on: { 'slip.credited': failing(creditAndTell) } },
});
