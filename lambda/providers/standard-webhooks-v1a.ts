import { hours } from '../core/time.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { positiveProblems } from './option-problems.ts';
import type { ProviderPreset } from './preset.ts';

export interface StandardWebhooksV1aOptions {
  /**
   * Hours over which this sender repeats an event: the plan is each sender's own.
   *
   * @default 76, the example plan of the specification, 75 h 35 min, rounded up
   */
  readonly retryHorizonHours?: number;
}

const EXAMPLE_PLAN_HOURS = 76;

/**
 * Any sender that follows Standard Webhooks 1.0.0 with asymmetric signatures, `v1a`. All but the signature
 * is as in `standardWebhooks()`.
 *
 * - Signature: Ed25519 in `v1a,<base64>` entries of `webhook-signature`, over the same bytes. `v1` entries
 *   in the same header are passed over (documented; confirmed by the published vector).
 * - The "secret" is the sender's public key, `whpk_` and 32 bytes in base64 (read in the source of the Svix
 *   server). It is no secret: whoever reads it can verify and not sign.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or a value out of range.
 */
export function standardWebhooksV1a(options: StandardWebhooksV1aOptions = {}): ProviderPreset {
  const shape = findUnknownOptions(options, ['retryHorizonHours']);
  refuseProblems(
    'standardWebhooksV1a',
    shape.length > 0 ? shape : positiveProblems('retryHorizonHours', options.retryHorizonHours),
  );
  return freezePreset({
    name: 'standard-webhooks-v1a',
    scheme: {
      kind: 'public-key',
      header: 'webhook-signature',
      format: { kind: 'versioned-list', version: 'v1a' },
      encoding: 'base64',
      timestamp: { from: { header: 'webhook-timestamp' }, unit: 's', pastSeconds: 300, futureSeconds: 300 },
      idHeader: 'webhook-id',
      signed: ['id', { text: '.' }, 'timestamp', { text: '.' }, 'body'],
      secret: { encoding: 'base64', stripPrefix: 'whpk_', minKeyBytes: 32, publicKey: 'ed25519' },
    },
    body: 'json',
    id: [{ header: 'webhook-id' }],
    type: [[{ json: ['type'] }]],
    eventTime: { from: { json: ['timestamp'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(options.retryHorizonHours ?? EXAMPLE_PLAN_HOURS),
    redelivers: true,
  });
}
