import { hours, seconds } from '../core/time.ts';
import type { SlackEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Slack has to be chosen; the tolerance is an option of the source. */
export type SlackOptions = Readonly<Record<string, never>>;

/**
 * Slack: the Events API, and interactivity, which comes as a form with one field `payload`.
 *
 * - Signature: `v0=<hex>` in `x-slack-signature`, HMAC-SHA256 over `v0:<timestamp>:<body>` with the signing
 *   secret as text (documented; read in the official SDK, @slack/bolt 5.1.0). The `token` in the body is
 *   the older check and is not looked at.
 * - Tolerance 300 s in both directions, as in Slack's SDK for Python. The one for JavaScript has no limit
 *   into the future; a request from there could be kept back until its time comes, so it is refused.
 * - `event_id` names the event and stays the same on a retry (recalled, not confirmed). `app_rate_limited`
 *   has none and is named by team and minute. Slash commands are forms without `payload`, and want an
 *   answer of their own: they are not events and are refused.
 * - Type: the inner event's, with its `subtype` first (recalled, not confirmed), else the envelope's.
 * - Order: `event.ts` is unique in a channel and has a fraction, so it is no sequence as it stands
 *   (documented).
 * - Deadline 3 s; retries at once, after 1 and 5 minutes, and hourly for 24 h where Delayed Events is on;
 *   an endpoint of which 95 % fails within an hour is switched off (all documented).
 * - Handshake: `url_verification`, signed like the rest, is answered with its `challenge` as text
 *   (documented).
 *
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 * @see https://docs.slack.dev/apis/events-api
 */
export function slack(options: SlackOptions = {}): ProviderPreset & KnownTypes<SlackEventType> {
  refuseUnknownOptions('slack', options, []);
  return freezePreset({
    name: 'slack',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-slack-signature',
      format: { kind: 'prefixed', prefix: 'v0=' },
      encoding: 'hex',
      timestamp: { from: { header: 'x-slack-request-timestamp' }, unit: 's', pastSeconds: 300, futureSeconds: 300 },
      signed: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json-or-form-payload',
    id: [{ json: ['event_id'] }, [{ json: ['type'] }, { json: ['team_id'] }, { json: ['minute_rate_limited'] }]],
    type: [
      [{ json: ['event', 'type'] }, { json: ['event', 'subtype'] }],
      [{ json: ['event', 'type'] }],
      [{ json: ['type'] }],
    ],
    eventTime: { from: { json: ['event_time'] }, unit: 's' },
    headers: ['content-type', 'user-agent', 'x-slack-request-timestamp', 'x-slack-retry-num', 'x-slack-retry-reason'],
    successStatus: 200,
    deadline: seconds(3),
    retryHorizon: hours(24),
    redelivers: true,
    handshake: [{ kind: 'echo-field', mark: { at: { json: ['type'] }, is: 'url_verification' }, field: ['challenge'] }],
  });
}
