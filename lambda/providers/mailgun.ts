import { hours } from '../core/time.ts';
import type { MailgunEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Mailgun has to be chosen; the tolerance is an option of the source. */
export type MailgunOptions = Readonly<Record<string, never>>;

/** Eight hours, over which one signature is sent again, and the usual five minutes. */
const TOLERANCE_SECONDS = 29_100;

/**
 * Mailgun event webhooks. Inbound routes, which send forms, are not covered.
 *
 * - Signature: bare hex at `signature.signature` of the body, HMAC-SHA256 over
 *   `<signature.timestamp><signature.token>` with the webhook signing key as text (documented). **The event
 *   data is not signed**: whoever holds one genuine delivery can send other data with its signature. That
 *   is Mailgun's scheme, and such a delivery verifies here too.
 * - So the id is the token, which is signed, and other data under a used token is a duplicate and changes
 *   nothing. For money or access ask Mailgun's API about what the event says. `id` on the source can name
 *   events by `event-data.id` instead.
 * - A retry has the timestamp and the token of the first attempt (second-hand), over up to 8 h, so that is
 *   the tolerance into the past; a shorter `toleranceSeconds` refuses retries.
 * - `event-data.timestamp` has a fraction of a second.
 * - Success is 200, 406 stops the retries; they come after 5, 10, 15 minutes, 1, 2 and 4 hours
 *   (documented). No deadline is published.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
export function mailgun(options: MailgunOptions = {}): ProviderPreset & KnownTypes<MailgunEventType> {
  refuseUnknownOptions('mailgun', options, []);
  return freezePreset({
    name: 'mailgun',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      field: ['signature', 'signature'],
      format: { kind: 'bare' },
      encoding: 'hex',
      timestamp: {
        from: { json: ['signature', 'timestamp'] },
        unit: 's',
        pastSeconds: TOLERANCE_SECONDS,
        futureSeconds: 300,
      },
      signed: ['timestamp', { json: ['signature', 'token'] }],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['signature', 'token'] }],
    type: [[{ json: ['event-data', 'event'] }]],
    eventTime: { from: { json: ['event-data', 'timestamp'] }, unit: 's' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(8),
    redelivers: true,
  });
}
