import { days } from '../core/time.ts';
import type { StripeEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** The tolerance is an option of the source. */
export interface StripeOptions {
  /**
   * Which events are for this source: `test` and `live` refuse the other kind, `both` takes either. An
   * endpoint has its own secret in each mode, but a live Connect endpoint also gets test events.
   *
   * @default 'test', so that going live is a line of code that somebody wrote
   */
  readonly mode?: 'test' | 'live' | 'both';
}

/**
 * Stripe, snapshot events (`object: "event"`).
 *
 * - Signature: `t=<seconds>,v1=<hex>` in `stripe-signature`, HMAC-SHA256 over `<t>.<body>`;
 *   several `v1` while a secret is rolled, other schemes such as `v0` are passed over. The
 *   key is the whole endpoint secret as text, `whsec_` included (read in the official SDK,
 *   stripe 23.1.0).
 * - Tolerance 300 s as in the SDK, which has no limit into the future; this preset refuses beyond 300 s there too.
 * - `id` stays the same over retries and manual resends, and each attempt is signed anew with a
 *   new `t` (documented). `created` has whole seconds; several events share one, and Stripe
 *   says not to order by it (documented).
 * - Retries: 3 days in live mode (documented). A person can resend for 15 days in the Dashboard
 *   and 30 with the CLI (documented); such a copy shows its age by `created`.
 * - `livemode` in the signed body says which mode an event is of; a live Connect endpoint gets both
 *   (documented). One of the other mode is genuine and not for this source: it is answered 400, logged with
 *   the reason and counted as rejected. Stripe goes on sending it, so nothing is lost while `mode` is put right.
 * - How long Stripe waits for an answer is not published.
 * - Shortest secret: Stripe makes them, `whsec_` and 32 characters (recalled, not confirmed), so one
 *   below 16 was cut off when it was copied.
 *
 * @see https://docs.stripe.com/webhooks
 * @see https://docs.stripe.com/webhooks/signature
 * @see https://docs.stripe.com/connect/webhooks
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or mode.
 */
export function stripe(options: StripeOptions = {}): ProviderPreset & KnownTypes<StripeEventType> {
  refuseProblems('stripe', problemsOf(options));
  const { mode = 'test' } = options;
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
    testMode: mode === 'test',
    ...(mode === 'both'
      ? {}
      : {
          only: {
            json: ['livemode'],
            is: mode === 'live',
            otherwise: `livemode is ${mode !== 'live'}, and this source takes ${mode} events alone: see the option mode of stripe()`,
          },
        }),
  });
}

function problemsOf(options: StripeOptions): readonly string[] {
  const shape = findUnknownOptions(options, ['mode']);
  if (shape.length > 0) return shape;
  const { mode } = options;
  const isKnown = mode === undefined || mode === 'test' || mode === 'live' || mode === 'both';
  return isKnown ? [] : [`needs mode to be 'test', 'live' or 'both', got ${JSON.stringify(mode)}`];
}
