import { hours } from '../core/time.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import type { ProviderPreset } from './preset.ts';

export interface StandardWebhooksOptions {
  /**
   * How the secret becomes key bytes. `base64` is the specification's: `whsec_` is removed where
   * present and the rest decoded. `utf8` takes the secret as text, as it stands.
   *
   * @default 'base64'
   */
  readonly secretEncoding?: 'base64' | 'utf8';
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
 *   6.49.0), Polar (second-hand). The option `secretEncoding` is for them.
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
  const { secretEncoding = 'base64', retryHorizonHours = EXAMPLE_PLAN_HOURS } = options;
  return freezePreset({
    name: 'standard-webhooks',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'webhook-signature',
      format: { kind: 'versioned-list', version: 'v1' },
      encoding: 'base64',
      timestamp: { from: { header: 'webhook-timestamp' }, unit: 's', pastSeconds: 300, futureSeconds: 300 },
      idHeader: 'webhook-id',
      signed: ['id', { text: '.' }, 'timestamp', { text: '.' }, 'body'],
      secret:
        secretEncoding === 'base64'
          ? { encoding: 'base64', stripPrefix: 'whsec_', minKeyBytes: 24 }
          : { encoding: 'utf8', minKeyBytes: 24 },
    },
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

function problemsOf(options: StandardWebhooksOptions): readonly string[] {
  const shape = findUnknownOptions(options, ['secretEncoding', 'retryHorizonHours']);
  if (shape.length > 0) return shape;

  const problems: string[] = [];
  const { secretEncoding, retryHorizonHours } = options;
  if (secretEncoding !== undefined && secretEncoding !== 'base64' && secretEncoding !== 'utf8') {
    problems.push(`needs secretEncoding to be 'base64' or 'utf8', got ${JSON.stringify(secretEncoding)}`);
  }
  if (retryHorizonHours !== undefined && !(Number.isFinite(retryHorizonHours) && retryHorizonHours > 0)) {
    problems.push(`needs retryHorizonHours to be a number above 0, got ${retryHorizonHours}`);
  }
  return problems;
}
