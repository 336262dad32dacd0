import { randomUUID } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';

/** One delivery, signed as its provider signs it. */
export interface SignedDelivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `invoice.paid` over `amount` for `customer`, signed by Stripe's own SDK. */
export function stripeDelivery(secret: string, id: string, customer: string, amount: number): SignedDelivery {
  const body = JSON.stringify({
    id,
    object: 'event',
    type: 'invoice.paid',
    created: Math.floor(Date.now() / 1000),
    data: { object: { object: 'invoice', customer, amount_paid: amount } },
  });
  const signature = new Stripe('sk_test_unused').webhooks.generateTestHeaderString({ payload: body, secret });
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } };
}

/** A `push` of `commits` commits, signed by GitHub's own library. */
export async function githubDelivery(
  secret: string,
  id: string,
  repository: string,
  commits: number,
): Promise<SignedDelivery> {
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    repository: { full_name: repository },
    commits: Array.from({ length: commits }, () => ({ id: randomUUID() })),
  });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-delivery': id,
      'x-github-event': 'push',
      'x-hub-signature-256': await sign(secret, body),
    },
  };
}

/** Any Standard Webhooks event, signed by the reference library. @param happenedAt what the event says of itself. */
export function standardDelivery(
  secret: string,
  id: string,
  type: string,
  data: unknown,
  happenedAt = new Date(),
): SignedDelivery {
  const at = new Date();
  const body = JSON.stringify({ type, timestamp: happenedAt.toISOString(), data });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly outcome: string | undefined;
}

/** Sends a delivery to a source's webhook URL. */
export async function send(apiUrl: string, source: string, { body, headers }: SignedDelivery): Promise<Answer> {
  const response = await fetch(`${apiUrl}/webhooks/${source}`, { method: 'POST', body, headers: { ...headers } });
  const text = await response.text();
  return { status: response.status, outcome: text === '' ? undefined : JSON.parse(text).outcome };
}
