import type { EpochMs } from '../lambda/core/time.ts';
import { type EpochSeconds, toEpochSeconds } from '../lambda/core/time.ts';
import { github, standardWebhooks, stripe } from '../lambda/oncehook.ts';
import { signDelivery } from '../lambda/providers/sign.ts';
import type { DemoSource, PlannedEvent } from './plan.ts';

/** What goes over the wire for one delivery. */
export interface Signed {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const PROVIDERS = { stripe: stripe(), github: github(), bazaar: standardWebhooks() } as const;

/** Signs afresh, as a provider does at every attempt. */
export function signEvent(event: PlannedEvent, secret: string, outside: string, now: EpochMs): Signed {
  const body = JSON.stringify({
    ...bodyOf(event, toEpochSeconds(now)),
    demo: { failures: event.failures, outside },
  });
  const signed = signDelivery(PROVIDERS[event.source].scheme, secret, {
    id: event.id,
    timestamp: Math.floor(now / 1000) as EpochSeconds,
    body: Buffer.from(body),
  });
  return { body, headers: { 'content-type': 'application/json', ...signed, ...headersOf(event) } };
}

function bodyOf(event: PlannedEvent, now: EpochSeconds): object {
  const { id, account, amount } = event;
  const bodies: Readonly<Record<DemoSource, () => object>> = {
    stripe: () => ({
      id,
      type: 'invoice.paid',
      created: now,
      data: { object: { customer: account, amount_paid: amount } },
    }),
    github: () => ({
      repository: { full_name: account.replace('repo:', '') },
      commits: Array.from({ length: amount }, (_, n) => ({ id: String(n) })),
    }),
    bazaar: () => ({ type: 'slip.credited', data: { account, amount } }),
  };
  return bodies[event.source]();
}

const headersOf = ({ source, id }: PlannedEvent): Readonly<Record<string, string>> =>
  source === 'github' ? { 'x-github-event': 'push', 'x-github-delivery': id } : {};
