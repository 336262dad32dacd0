import { days } from '../core/time.ts';
import type { LemonSqueezyEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';

/** Nothing about Lemon Squeezy has to be chosen. */
export type LemonSqueezyOptions = Readonly<Record<string, never>>;

/**
 * Lemon Squeezy.
 *
 * - Signature: bare hex in `x-signature`, HMAC-SHA256 over the body with the signing secret as text
 *   (second-hand, confirmed by a vector). No timestamp is signed, so only the inbox stops a replay.
 * - An event has no id: `meta.webhook_id` names the webhook. It is named by event name, the id of what it
 *   is about and that one's `updated_at`, all of them signed. Two changes of one object within the
 *   resolution of that time would be one event.
 * - Type: `meta.event_name`, and not `x-event-name`, which is not signed.
 * - Only 200 counts as success; retries after 5, 25 and 125 s (recalled, not confirmed). A day leaves room
 *   for a resend by hand.
 *
 * @see https://docs.lemonsqueezy.com/help/webhooks/signing-requests
 */
export function lemonSqueezy(options: LemonSqueezyOptions = {}): ProviderPreset & KnownTypes<LemonSqueezyEventType> {
  refuseUnknownOptions('lemonSqueezy', options, []);
  return freezePreset({
    name: 'lemon-squeezy',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-signature',
      format: { kind: 'bare' },
      encoding: 'hex',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES },
    },
    body: 'json',
    id: [[{ json: ['meta', 'event_name'] }, { json: ['data', 'id'] }, { json: ['data', 'attributes', 'updated_at'] }]],
    type: [[{ json: ['meta', 'event_name'] }]],
    eventTime: { from: { json: ['data', 'attributes', 'updated_at'] }, unit: 'iso8601' },
    orderHint: { from: { json: ['data', 'attributes', 'updated_at'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', 'x-event-name'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: days(1),
    redelivers: true,
  });
}
