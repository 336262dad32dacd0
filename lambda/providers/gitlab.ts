import { days, seconds } from '../core/time.ts';
import type { GitlabEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { oneOfProblems } from './option-problems.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import type { Scheme } from './scheme.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';
import { standardWebhooksScheme } from './standard-webhooks-scheme.ts';

export interface GitlabOptions {
  /**
   * What is set at GitLab: a signing token, from GitLab 19.0 on, or the older secret token, which is sent
   * in clear and proves nothing about the body.
   *
   * @default 'signing-token'
   */
  readonly proof?: 'signing-token' | 'secret-token';
}

/**
 * GitLab.
 *
 * - Signing token: Standard Webhooks in `webhook-id`, `webhook-timestamp` and `webhook-signature`, the
 *   secret `whsec_` and 32 bytes in base64 (documented in merge requests 230944 and 231325).
 * - Secret token: `x-gitlab-token` holds the secret itself, which is compared in constant time
 *   (documented). It does not cover the body and stops no replay: whoever sees one delivery can send any
 *   other. Both may be set while one moves to the other.
 * - The id is `webhook-id`, which equals `idempotency-key`; without a signature it is the latter, from
 *   GitLab 17.4 on. Both stay the same over a resend (documented). `x-gitlab-event-uuid` is shared by hooks
 *   that set each other off, so it is no id.
 * - Type: `object_kind` of the body, with the action first: `merge_request.open`, `merge_request`; system
 *   hooks have `event_name`. A custom template can take these fields away.
 * - Deadline 10 s on gitlab.com (second-hand). No delivery is sent again by itself as far as is documented;
 *   four failures in a row pause the hook, forty end it, 4xx and 5xx alike (documented). People can resend
 *   by hand, three days of which are allowed for.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or value.
 */
export function gitlab(options: GitlabOptions = {}): ProviderPreset & KnownTypes<GitlabEventType> {
  const shape = findUnknownOptions(options, ['proof']);
  refuseProblems(
    'gitlab',
    shape.length > 0 ? shape : oneOfProblems('proof', options.proof, ['signing-token', 'secret-token']),
  );
  const isSigned = options.proof !== 'secret-token';
  return freezePreset({
    name: 'gitlab',
    scheme: isSigned ? signingToken() : SECRET_TOKEN,
    body: 'json',
    id: isSigned ? [{ header: 'webhook-id' }] : [{ header: 'idempotency-key' }],
    type: [
      [{ json: ['object_kind'] }, { json: ['object_attributes', 'action'] }],
      [{ json: ['object_kind'] }],
      [{ json: ['event_name'] }],
    ],
    headers: [
      'content-type',
      'user-agent',
      'idempotency-key',
      'webhook-id',
      'webhook-timestamp',
      'x-gitlab-event',
      'x-gitlab-event-uuid',
      'x-gitlab-instance',
      'x-gitlab-webhook-uuid',
    ],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: days(3),
    redelivers: false,
  });
}

const signingToken = (): Scheme =>
  standardWebhooksScheme('webhook', { encoding: 'base64', stripPrefix: 'whsec_', minKeyBytes: 32 });

const SECRET_TOKEN: Scheme = {
  kind: 'token',
  header: 'x-gitlab-token',
  secret: { encoding: 'utf8', minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES },
};
