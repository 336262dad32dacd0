import { hours } from '../core/time.ts';
import type { MuxEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Mux has to be chosen; the tolerance is an option of the source. */
export type MuxOptions = Readonly<Record<string, never>>;

/**
 * Mux.
 *
 * - Signature: `t=<seconds>,v1=<hex>` in `mux-signature`, HMAC-SHA256 over `<t>.<body>` with the signing
 *   secret as text: Stripe's scheme (read in the official SDK, @mux/mux-node 15.3.0). Tolerance 300 s as in
 *   the SDK, here in both directions.
 * - `id` and `type` in the signed body; `created_at` is the event's time, and retries go on for 24 h
 *   (recalled, not confirmed).
 * - No deadline is published.
 *
 * @see https://www.mux.com/docs/core/verify-webhook-signatures
 */
export function mux(options: MuxOptions = {}): ProviderPreset & KnownTypes<MuxEventType> {
  refuseUnknownOptions('mux', options, []);
  return freezePreset({
    name: 'mux',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'mux-signature',
      format: { kind: 'pairs', separator: ',', signatureKey: 'v1', timestampKey: 't' },
      encoding: 'hex',
      timestamp: { from: 'signature', unit: 's', pastSeconds: 300, futureSeconds: 300 },
      signed: ['timestamp', { text: '.' }, 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['id'] }],
    type: [[{ json: ['type'] }]],
    eventTime: { from: { json: ['created_at'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(24),
    redelivers: true,
  });
}
