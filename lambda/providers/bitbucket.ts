import { days, seconds } from '../core/time.ts';
import type { BitbucketEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';

/** Nothing about Bitbucket has to be chosen. */
export type BitbucketOptions = Readonly<Record<string, never>>;

/**
 * Bitbucket Cloud.
 *
 * - Signature: `sha256=<hex>` in `x-hub-signature`, HMAC-SHA256 over the body with the secret as text
 *   (second-hand, and confirmed by the documented vector). Without a secret at Bitbucket nothing is signed,
 *   and everything is refused. No timestamp is signed, so only the inbox stops a replay.
 * - The id is `x-request-uuid` with `x-hook-uuid`, the same on every attempt (second-hand). The signature
 *   does not cover them, and the body has no id: whoever holds a genuine delivery can send it again under
 *   another id.
 * - The type is `x-event-key`, such as `repo:push`; not signed either.
 * - Bodies above 256 kB are not sent at all (documented).
 * - Deadline 10 s, and two more tries after a 5xx or a time-out (both recalled, not confirmed). Because few
 *   and unconfirmed tries are none to rely on, `redelivers` is false. Three days leave room for a resend by
 *   hand.
 *
 * @see https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/
 */
export function bitbucket(options: BitbucketOptions = {}): ProviderPreset & KnownTypes<BitbucketEventType> {
  refuseUnknownOptions('bitbucket', options, []);
  return freezePreset({
    name: 'bitbucket',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-hub-signature',
      format: { kind: 'prefixed', prefix: 'sha256=' },
      encoding: 'hex',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES },
    },
    body: 'json',
    id: [[{ header: 'x-request-uuid' }, { header: 'x-hook-uuid' }], { header: 'x-request-uuid' }],
    type: [[{ header: 'x-event-key' }]],
    headers: ['content-type', 'user-agent', 'x-attempt-number', 'x-event-key', 'x-hook-uuid', 'x-request-uuid'],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: days(3),
    redelivers: false,
  });
}
