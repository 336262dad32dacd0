import { days, seconds } from '../core/time.ts';
import type { PaddleEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Paddle has to be chosen; the tolerance is an option of the source. */
export type PaddleOptions = Readonly<Record<string, never>>;

/**
 * Paddle Billing.
 *
 * - Signature: `ts=<seconds>;h1=<hex>` in `paddle-signature`, HMAC-SHA256 over `<ts>:<body>` with the
 *   destination's secret as text (read in the official SDK, @paddle/paddle-node-sdk 3.10.0). While a secret
 *   is rotated there are several `h1` (second-hand). All are tried; the SDK keeps the last alone and
 *   refuses such a header.
 * - Tolerance 5 s into the past, Paddle's own default (read in the SDK). A cold start or a clock that is a
 *   little off takes that long, so set a longer `toleranceSeconds` on the source, such as 300. 300 s into
 *   the future.
 * - `event_id` names the event; a replay by hand is another notification of the same event (recalled, not
 *   confirmed). `occurred_at`, with microseconds, tells older state.
 * - Deadline 5 s, success is 200, 60 retries over 3 days for live accounts (all documented).
 *
 * @see https://developer.paddle.com/webhooks/signature-verification
 */
export function paddle(options: PaddleOptions = {}): ProviderPreset & KnownTypes<PaddleEventType> {
  refuseUnknownOptions('paddle', options, []);
  return freezePreset({
    name: 'paddle',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'paddle-signature',
      format: { kind: 'pairs', separator: ';', signatureKey: 'h1', timestampKey: 'ts' },
      encoding: 'hex',
      timestamp: { from: 'signature', unit: 's', pastSeconds: 5, futureSeconds: 300 },
      signed: ['timestamp', { text: ':' }, 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['event_id'] }],
    type: [[{ json: ['event_type'] }]],
    eventTime: { from: { json: ['occurred_at'] }, unit: 'iso8601' },
    orderHint: { from: { json: ['occurred_at'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(5),
    retryHorizon: days(3),
    redelivers: true,
  });
}
