import { hours, seconds } from '../core/time.ts';
import type { ZoomEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Zoom has to be chosen; the tolerance is an option of the source. */
export type ZoomOptions = Readonly<Record<string, never>>;

/**
 * Zoom.
 *
 * - Signature: `v0=<hex>` in `x-zm-signature`, HMAC-SHA256 over `v0:<x-zm-request-timestamp>:<body>` with
 *   the secret token as text: Slack's scheme under other names (documented).
 * - Tolerance 300 s in both directions: Zoom names none, it is Slack's.
 * - An event has no id. Its body has the time of the event in milliseconds and whom it concerns, and a
 *   retry sends the same body (recalled, not confirmed), so its hash is the name.
 * - Order: `event_ts`, in milliseconds; no order of delivery is promised.
 * - Deadline 3 s, success is 200 or 204, retries after 5, 20 and 60 minutes more, and the endpoint is
 *   validated again every 72 h (all documented).
 * - Handshake: `endpoint.url_validation`, signed like the rest, is answered with its `plainToken` and that
 *   token's HMAC-SHA256 in hex with the secret token (documented). A token with anything but the characters of base64
 *   and base64url is refused: the HMAC of `v0:…` would be the signature of a delivery.
 *
 * @see https://developers.zoom.us/docs/api/webhooks/
 */
export function zoom(options: ZoomOptions = {}): ProviderPreset & KnownTypes<ZoomEventType> {
  refuseUnknownOptions('zoom', options, []);
  return freezePreset({
    name: 'zoom',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-zm-signature',
      format: { kind: 'prefixed', prefix: 'v0=' },
      encoding: 'hex',
      timestamp: { from: { header: 'x-zm-request-timestamp' }, unit: 's', pastSeconds: 300, futureSeconds: 300 },
      signed: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [],
    type: [[{ json: ['event'] }]],
    eventTime: { from: { json: ['event_ts'] }, unit: 'ms' },
    orderHint: { from: { json: ['event_ts'] }, unit: 'ms' },
    headers: ['content-type', 'user-agent', 'x-zm-request-timestamp', 'x-zm-trackingid'],
    successStatus: 200,
    deadline: seconds(3),
    retryHorizon: hours(2),
    redelivers: true,
    handshake: [
      {
        kind: 'prove-secret',
        mark: { at: { json: ['event'] }, is: 'endpoint.url_validation' },
        field: ['payload', 'plainToken'],
        plain: 'plainToken',
        proof: 'encryptedToken',
      },
    ],
  });
}
