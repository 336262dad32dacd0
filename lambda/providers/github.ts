import { days, seconds } from '../core/time.ts';
import type { GithubEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';

/** Nothing about GitHub has to be chosen. */
export type GithubOptions = Readonly<Record<string, never>>;

/**
 * GitHub webhooks of repositories, organisations and Apps.
 *
 * - Signature: `sha256=<hex>` in `x-hub-signature-256`, HMAC-SHA256 over the body with the
 *   secret as text (documented; read in the official SDK, @octokit/webhooks-methods
 *   6.0.0). The older `x-hub-signature` with SHA-1 is not looked at. GitHub signs no
 *   timestamp, so only the inbox stops a replay.
 * - The id is the `x-github-delivery` header, which the signature does not cover: somebody who
 *   holds a genuine delivery can send it again under another id. A body has no id that
 *   could replace it. A manual redelivery has the same id (documented).
 * - The type is `x-github-event`, with the body's `action` where there is one: `issues.opened`,
 *   then `issues` (documented). This header is not signed either.
 * - Body: JSON, or a form with one field `payload`, signed over the form's bytes (recalled, not
 *   confirmed).
 * - Deadline 10 s (documented). GitHub never retries by itself (documented); deliveries of the
 *   last 3 days can be redelivered by hand or over the API (second-hand).
 * - The `x-github-hook-…` headers are recalled, not confirmed; a handler gets what is there.
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 * @see https://docs.github.com/en/webhooks/using-webhooks/handling-failed-webhook-deliveries
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function github(options: GithubOptions = {}): ProviderPreset & KnownTypes<GithubEventType> {
  refuseUnknownOptions('github', options, []);
  return freezePreset({
    name: 'github',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-hub-signature-256',
      format: { kind: 'prefixed', prefix: 'sha256=' },
      encoding: 'hex',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES },
    },
    body: 'json-or-form-payload',
    id: [{ header: 'x-github-delivery' }],
    type: [[{ header: 'x-github-event' }, { json: ['action'] }], [{ header: 'x-github-event' }]],
    headers: [
      'content-type',
      'user-agent',
      'x-github-delivery',
      'x-github-event',
      'x-github-hook-id',
      'x-github-hook-installation-target-id',
      'x-github-hook-installation-target-type',
    ],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: days(3),
    redelivers: false,
  });
}
