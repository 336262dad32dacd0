import { hours } from '../core/time.ts';
import type { TwitchEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';

/** Nothing about Twitch has to be chosen; the tolerance is an option of the source. */
export type TwitchOptions = Readonly<Record<string, never>>;

/**
 * Twitch EventSub over webhooks.
 *
 * - Signature: `sha256=<hex>` in `twitch-eventsub-message-signature`, HMAC-SHA256 over
 *   `<id><timestamp><body>` with nothing between them (confirmed by a vector of Twitch's command line). The
 *   timestamp is a whole ISO 8601 time, so neither border can be moved.
 * - Tolerance 600 s in both directions: Twitch says to refuse older ones (recalled, not confirmed).
 * - The id is the signed header `twitch-eventsub-message-id`, the same on a retry (recalled, not
 *   confirmed); the type is the subscription's.
 * - Retries are counted in `twitch-eventsub-message-retry`; how long they go on is not published, a day is
 *   assumed. No deadline is published.
 * - The secret is chosen at subscription, 10 to 100 ASCII characters (recalled, not confirmed).
 * - Handshake: `webhook_callback_verification` in `twitch-eventsub-message-type`, signed like the rest, is
 *   answered with the body's `challenge` as text (recalled, not confirmed).
 *
 * @see https://dev.twitch.tv/docs/eventsub/handling-webhook-events/
 */
export function twitch(options: TwitchOptions = {}): ProviderPreset & KnownTypes<TwitchEventType> {
  refuseUnknownOptions('twitch', options, []);
  return freezePreset({
    name: 'twitch',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'twitch-eventsub-message-signature',
      format: { kind: 'prefixed', prefix: 'sha256=' },
      encoding: 'hex',
      timestamp: {
        from: { header: 'twitch-eventsub-message-timestamp' },
        unit: 'iso8601',
        pastSeconds: 600,
        futureSeconds: 600,
      },
      idHeader: 'twitch-eventsub-message-id',
      signed: ['id', 'timestamp', 'body'],
      secret: { encoding: 'utf8', minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES },
    },
    body: 'json',
    id: [{ header: 'twitch-eventsub-message-id' }],
    type: [[{ json: ['subscription', 'type'] }]],
    eventTime: { from: { header: 'twitch-eventsub-message-timestamp' }, unit: 'iso8601' },
    headers: [
      'content-type',
      'user-agent',
      'twitch-eventsub-message-id',
      'twitch-eventsub-message-retry',
      'twitch-eventsub-message-timestamp',
      'twitch-eventsub-message-type',
      'twitch-eventsub-subscription-type',
      'twitch-eventsub-subscription-version',
    ],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(24),
    redelivers: true,
    handshake: [
      {
        kind: 'echo-field',
        mark: { at: { header: 'twitch-eventsub-message-type' }, is: 'webhook_callback_verification' },
        field: ['challenge'],
      },
    ],
  });
}
