import { hours, seconds } from '../core/time.ts';
import type { RazorpayEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';

/** Nothing about Razorpay has to be chosen. */
export type RazorpayOptions = Readonly<Record<string, never>>;

/**
 * Razorpay webhooks. The signatures of checkout are something else.
 *
 * - Signature: bare hex in `x-razorpay-signature`, HMAC-SHA256 over the body with the webhook's secret as
 *   text (read in the official SDK, razorpay 2.9.8). No timestamp is signed.
 * - The id is the header `x-razorpay-event-id` (second-hand), the same on a retry (recalled, not
 *   confirmed). The signature does not cover it: whoever holds a genuine delivery can send it again under
 *   another id. Where money depends on it, name events by `id` on the source, of event, entity and
 *   `created_at`.
 * - Order: `created_at`, whole seconds.
 * - Deadline 5 s (recalled, not confirmed); retries for 24 h, after which the webhook is disabled
 *   (documented).
 *
 * @see https://razorpay.com/docs/webhooks/validate-test/
 */
export function razorpay(options: RazorpayOptions = {}): ProviderPreset & KnownTypes<RazorpayEventType> {
  refuseUnknownOptions('razorpay', options, []);
  return freezePreset({
    name: 'razorpay',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-razorpay-signature',
      format: { kind: 'bare' },
      encoding: 'hex',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES },
    },
    body: 'json',
    id: [{ header: 'x-razorpay-event-id' }],
    type: [[{ json: ['event'] }]],
    eventTime: { from: { json: ['created_at'] }, unit: 's' },
    orderHint: { from: { json: ['created_at'] }, unit: 's' },
    headers: ['content-type', 'user-agent', 'x-razorpay-event-id'],
    successStatus: 200,
    deadline: seconds(5),
    retryHorizon: hours(24),
    redelivers: true,
  });
}
