import { hours, seconds } from '../../../lambda/core/time.ts';
import { freezePreset } from '../../../lambda/providers/freeze-preset.ts';
import { refuseUnknownOptions } from '../../../lambda/providers/known-options.ts';
import type { ProviderPreset } from '../../../lambda/providers/preset.ts';

/**
 * Tide Gauge.
 *
 * - Signature: `sha256=<hex>` in `x-gauge-signature`, HMAC-SHA256 over `<x-gauge-time>.<body>` (documented).
 * - `reading_id` stays the same over retries (documented). Deadline 10 s, retries for 24 h (documented).
 *
 * @see https://gauge.example/docs/webhooks
 */
export function tideGauge(options: Readonly<Record<string, never>> = {}): ProviderPreset {
  refuseUnknownOptions('tideGauge', options, []);
  return freezePreset({
    name: 'tide-gauge',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-gauge-signature',
      format: { kind: 'prefixed', prefix: 'sha256=' },
      encoding: 'hex',
      timestamp: { from: { header: 'x-gauge-time' }, unit: 's', pastSeconds: 300, futureSeconds: 300 },
      signed: ['timestamp', { text: '.' }, 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['reading_id'] }],
    type: [[{ json: ['kind'] }]],
    eventTime: { from: { json: ['taken_at'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: hours(24),
    redelivers: true,
  });
}
