import { hours } from '../core/time.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { oneOfProblems, positiveProblems } from './option-problems.ts';
import type { ProviderPreset } from './preset.ts';
import type { SecretFormat } from './scheme.ts';
import { standardWebhooksScheme, WHSEC } from './standard-webhooks-scheme.ts';

export interface StandardWebhooksOptions {
  /**
   * How the secret becomes key bytes. `base64` is the specification's: `whsec_` is removed where
   * present and the rest decoded. `utf8` takes the secret as text, as it stands.
   *
   * @default 'base64'
   */
  readonly secretEncoding?: 'base64' | 'utf8';
  /**
   * How a secret without `whsec_` becomes key bytes, where `secretEncoding` is `base64`. OpenAI's is text.
   *
   * @default 'base64'
   */
  readonly unprefixedSecret?: 'base64' | 'utf8';
  /**
   * Hours over which this sender repeats an event: the plan is each sender's own.
   *
   * @default 76, the example plan of the specification, 75 h 35 min, rounded up
   */
  readonly retryHorizonHours?: number;
}

const EXAMPLE_PLAN_HOURS = 76;

/**
 * Any sender that follows Standard Webhooks 1.0.0 with symmetric signatures.
 *
 * - Signature: `webhook-signature` is a list, separated by spaces, of `v1,<base64>`: HMAC-SHA256 over
 *   `<webhook-id>.<webhook-timestamp>.<body>`. Any match is enough, other versions, such as the
 *   asymmetric `v1a`, are passed over (documented; read in the official SDK,
 *   standardwebhooks 1.1.1).
 * - All three headers are required. An id is never blank and has no full stop: the
 *   specification forbids it, because the full stop separates the signed parts (documented).
 * - 300 s in both directions, as in the SDK.
 * - The id stays the same over retries, the timestamp is each attempt's own (documented).
 * - `type` and the ISO 8601 `timestamp` in the body are the specification's recommended payload; a sender
 *   may leave them out.
 * - Secrets are `whsec_` and 24 to 64 random bytes in base64 (documented). Some senders use the secret's
 *   text as the key instead: OpenAI for secrets without the prefix (read in its SDK, openai
 *   6.49.0), for which there is `unprefixedSecret: 'utf8'`; Polar for all (second-hand), for which there is
 *   `secretEncoding: 'utf8'`.
 * - No deadline is common to all senders.
 *
 * @example
 * bazaar: { provider: standardWebhooks(), on: { 'slip.credited': creditSlip } }
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or a value out of range.
 */
export function standardWebhooks(options: StandardWebhooksOptions = {}): ProviderPreset {
  refuseProblems('standardWebhooks', problemsOf(options));
  const { secretEncoding = 'base64', unprefixedSecret = 'base64', retryHorizonHours = EXAMPLE_PLAN_HOURS } = options;
  return freezePreset({
    name: 'standard-webhooks',
    scheme: standardWebhooksScheme('webhook', secretFormat(secretEncoding, unprefixedSecret)),
    body: 'json',
    id: [{ header: 'webhook-id' }],
    type: [[{ json: ['type'] }]],
    eventTime: { from: { json: ['timestamp'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(retryHorizonHours),
    redelivers: true,
  });
}

function secretFormat(encoding: 'base64' | 'utf8', unprefixed: 'base64' | 'utf8'): SecretFormat {
  if (encoding === 'utf8') return { encoding, minKeyBytes: WHSEC.minKeyBytes };
  return unprefixed === 'utf8' ? { ...WHSEC, unprefixed } : WHSEC;
}

function problemsOf(options: StandardWebhooksOptions): readonly string[] {
  const shape = findUnknownOptions(options, ['secretEncoding', 'unprefixedSecret', 'retryHorizonHours']);
  if (shape.length > 0) return shape;
  const { secretEncoding, unprefixedSecret, retryHorizonHours } = options;
  return [
    ...oneOfProblems('secretEncoding', secretEncoding, ['base64', 'utf8']),
    ...oneOfProblems('unprefixedSecret', unprefixedSecret, ['base64', 'utf8']),
    ...positiveProblems('retryHorizonHours', retryHorizonHours),
  ];
}
