import { hours } from '../core/time.ts';
import type { SendgridEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about SendGrid has to be chosen; a tolerance is an option of the source. */
export type SendgridOptions = Readonly<Record<string, never>>;

/**
 * SendGrid's Event Webhook with its signature switched on.
 *
 * - Signature: ECDSA on P-256 with SHA-256, DER in base64, in `x-twilio-email-event-webhook-signature`,
 *   over `<timestamp><body>`. The "secret" is the verification key, an SPKI in base64 without PEM lines
 *   (read in the official SDK, @sendgrid/eventwebhook 8.0.0). The line ends in the body are signed too.
 * - The SDK has no tolerance and neither has this preset; `toleranceSeconds` on the source sets one.
 * - A batch: an array of events, each named by its `sg_event_id`, with `event` as type and whole seconds in
 *   `timestamp`. Copies are normal (documented in an archived page), order is not promised (recalled, not
 *   confirmed).
 * - A post comes every 30 s or at 768 kB, several a second from several senders; retries for 24 h (the same
 *   page). No deadline is published.
 *
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export function sendgrid(options: SendgridOptions = {}): ProviderPreset & KnownTypes<SendgridEventType> {
  refuseUnknownOptions('sendgrid', options, []);
  return freezePreset({
    name: 'sendgrid',
    scheme: {
      kind: 'public-key',
      header: 'x-twilio-email-event-webhook-signature',
      format: { kind: 'bare' },
      encoding: 'base64',
      timestamp: { from: { header: 'x-twilio-email-event-webhook-timestamp' }, unit: 's' },
      signed: ['timestamp', 'body'],
      secret: { encoding: 'base64', minKeyBytes: 59, publicKey: 'ecdsa-p256' },
    },
    body: 'json',
    batch: [],
    id: [{ json: ['sg_event_id'] }],
    type: [[{ json: ['event'] }]],
    eventTime: { from: { json: ['timestamp'] }, unit: 's' },
    orderHint: { from: { json: ['timestamp'] }, unit: 's' },
    headers: ['content-type', 'user-agent', 'x-twilio-email-event-webhook-timestamp'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(24),
    redelivers: true,
  });
}
