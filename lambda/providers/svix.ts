import { hours, seconds } from '../core/time.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { oneOfProblems } from './option-problems.ts';
import type { ProviderPreset } from './preset.ts';
import { standardWebhooksScheme, WHSEC } from './standard-webhooks-scheme.ts';

export interface SvixOptions {
  /**
   * How a secret without `whsec_` becomes key bytes. Svix, Clerk and Resend decode it as base64 with and
   * without the prefix; a sender that takes such a secret as text needs `utf8`.
   *
   * @default 'base64'
   */
  readonly unprefixedSecret?: 'base64' | 'utf8';
}

/**
 * Svix and everybody who sends through it: Clerk, Resend, Brex and others.
 *
 * - Signature: Standard Webhooks under the names `svix-id`, `svix-timestamp` and `svix-signature`
 *   (documented; read in the official SDK, svix 1.99.1, in @clerk/backend 3.25.0 and in resend 6.38.0).
 *   Svix's SDK falls back to `webhook-…` headers, Clerk's does not; for senders of those there is
 *   `standardWebhooks()`, for OpenAI with its option `unprefixedSecret: 'utf8'`.
 * - 300 s in both directions, as in the SDK.
 * - The id stays the same over retries (documented) and a replay by hand (second-hand).
 * - `type` is at the top of the body at Clerk and Resend (recalled, not confirmed); Svix forwards whatever
 *   body its customer gives it. Some put `event_type` there.
 * - Deadline 15 s; retries after 5 s, 5 and 30 minutes, 2, 5, 10 and 10 hours; an endpoint that only failed
 *   for 5 days is disabled; 3xx is a failure (all documented, the plan read in the server's source).
 *
 * @see https://docs.svix.com/receiving/verifying-payloads/how-manual
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or value.
 */
export function svix(options: SvixOptions = {}): ProviderPreset {
  const shape = findUnknownOptions(options, ['unprefixedSecret']);
  refuseProblems(
    'svix',
    shape.length > 0 ? shape : oneOfProblems('unprefixedSecret', options.unprefixedSecret, ['base64', 'utf8']),
  );
  return freezePreset({
    name: 'svix',
    scheme: standardWebhooksScheme(
      'svix',
      options.unprefixedSecret === 'utf8' ? { ...WHSEC, unprefixed: 'utf8' } : { ...WHSEC },
    ),
    body: 'json',
    id: [{ header: 'svix-id' }],
    type: [[{ json: ['type'] }], [{ json: ['event_type'] }]],
    eventTime: { from: { json: ['timestamp'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', 'svix-id', 'svix-timestamp'],
    successStatus: 200,
    deadline: seconds(15),
    retryHorizon: hours(28),
    redelivers: true,
  });
}
