import { hours, seconds } from '../core/time.ts';
import type { LinearEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Linear has to be chosen; the tolerance is an option of the source. */
export type LinearOptions = Readonly<Record<string, never>>;

/**
 * Linear.
 *
 * - Signature: bare hex in `linear-signature`, HMAC-SHA256 over the body with the secret as text (read in
 *   the official SDK, @linear/sdk 98.0.0).
 * - Freshness: `webhookTimestamp`, milliseconds inside the signed body, within 60 s in both directions as
 *   in the SDK. The header `linear-timestamp` is not signed and not looked at. Retries get a new time
 *   (second-hand), so the window does not refuse them.
 * - The id is made of what is signed: action, type, and the id and `updatedAt` of what changed. Where the
 *   data has no such time it is `linear-delivery`, of which nobody says whether it stays the same on a
 *   retry.
 * - Type: `Issue.update`, then `Issue`. Order: `data.updatedAt`.
 * - Deadline 5 s, retries after 1 minute, 1 and 6 hours; an endpoint that keeps failing may be disabled
 *   (second-hand).
 *
 * @see https://linear.app/developers/webhooks
 */
export function linear(options: LinearOptions = {}): ProviderPreset & KnownTypes<LinearEventType> {
  refuseUnknownOptions('linear', options, []);
  return freezePreset({
    name: 'linear',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'linear-signature',
      format: { kind: 'bare' },
      encoding: 'hex',
      timestamp: { from: { json: ['webhookTimestamp'] }, unit: 'ms', pastSeconds: 60, futureSeconds: 60 },
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [
      [{ json: ['action'] }, { json: ['type'] }, { json: ['data', 'id'] }, { json: ['data', 'updatedAt'] }],
      { header: 'linear-delivery' },
    ],
    type: [[{ json: ['type'] }, { json: ['action'] }], [{ json: ['type'] }]],
    eventTime: { from: { json: ['createdAt'] }, unit: 'iso8601' },
    orderHint: { from: { json: ['data', 'updatedAt'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', 'linear-delivery', 'linear-event'],
    successStatus: 200,
    deadline: seconds(5),
    retryHorizon: hours(8),
    redelivers: true,
  });
}
