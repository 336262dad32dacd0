import { days } from '../core/time.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { ProviderPreset } from './preset.ts';

/** Nothing about Stripe has to be chosen; the tolerance is an option of the source. */
export type StripeOptions = Readonly<Record<string, never>>;

/**
 * Stripe, snapshot events (`object: "event"`).
 *
 * - Signature: `t=<seconds>,v1=<hex>` in `stripe-signature`, HMAC-SHA256 over `<t>.<body>`;
 *   several `v1` while a secret is rolled, other schemes such as `v0` are passed over. The
 *   key is the whole endpoint secret as text, `whsec_` included (read in the official SDK,
 *   stripe 23.1.0).
 * - Tolerance 300 s as in the SDK. The SDK has no limit into the future, this preset has the same.
 * - `id` stays the same over retries and manual resends, and each attempt is signed anew with a
 *   new `t` (documented). `created` has whole seconds; several events share one, and Stripe
 *   says not to order by it (documented).
 * - Retries: 3 days in live mode (documented). A person can resend for 15 days in the Dashboard
 *   and 30 with the CLI (documented); such a copy shows its age by `created`.
 * - How long Stripe waits for an answer is not published.
 * - Shortest secret: Stripe makes them, `whsec_` and 32 characters (recalled, not confirmed), so one
 *   below 16 was cut off when it was copied.
 *
 * @see https://docs.stripe.com/webhooks
 * @see https://docs.stripe.com/webhooks/signature
 */
export function stripe(options: StripeOptions = {}): ProviderPreset {
  refuseUnknownOptions('stripe', options, []);
  return freezePreset({
    name: 'stripe',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'stripe-signature',
      format: { kind: 'pairs', separator: ',', signatureKey: 'v1', timestampKey: 't' },
      encoding: 'hex',
      timestamp: { from: 'signature', unit: 's', pastSeconds: 300, futureSeconds: 300 },
      signed: ['timestamp', { text: '.' }, 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['id'] }],
    type: [[{ json: ['type'] }]],
    eventTime: { from: { json: ['created'] }, unit: 's' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: days(3),
    redelivers: true,
  });
}
