import { hours, seconds } from '../core/time.ts';
import type { SquareEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Square has to be chosen. */
export type SquareOptions = Readonly<Record<string, never>>;

/**
 * Square.
 *
 * - Signature: bare base64 in `x-square-hmacsha256-signature`, HMAC-SHA256 over `<URL><body>` with the
 *   signature key as text (read in the official SDK, square 46.0.0). The URL is the notification URL
 *   exactly as it was configured: set `publicUrl` on the source. The older `x-square-signature` with SHA-1
 *   is not looked at. No timestamp is signed.
 * - `event_id` names the event; one may be sent twice (second-hand).
 * - Order: `data.object.<type>.version` of payments and orders (recalled, not confirmed); `created_at` is
 *   the event's time.
 * - Deadline 10 s, eleven retries within 24 h (both second-hand).
 *
 * @see https://developer.squareup.com/docs/webhooks/step3validate
 */
export function square(options: SquareOptions = {}): ProviderPreset & KnownTypes<SquareEventType> {
  refuseUnknownOptions('square', options, []);
  return freezePreset({
    name: 'square',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-square-hmacsha256-signature',
      format: { kind: 'bare' },
      encoding: 'base64',
      signed: ['url', 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['event_id'] }],
    type: [[{ json: ['type'] }]],
    eventTime: { from: { json: ['created_at'] }, unit: 'iso8601' },
    orderHint: { from: { json: ['data', 'object', 'payment', 'version'] }, unit: 'version' },
    headers: [
      'content-type',
      'user-agent',
      'square-environment',
      'square-initial-delivery-timestamp',
      'square-retry-number',
      'square-retry-reason',
    ],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: hours(24),
    redelivers: true,
  });
}
