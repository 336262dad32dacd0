import { days, seconds } from '../core/time.ts';
import type { ZendeskEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Zendesk has to be chosen; the tolerance is an option of the source. */
export type ZendeskOptions = Readonly<Record<string, never>>;

/**
 * Zendesk event webhooks.
 *
 * - Signature: bare base64 in `x-zendesk-webhook-signature`, HMAC-SHA256 over `<timestamp><body>` with
 *   nothing between, the secret as text, although it looks like base64 (documented). The timestamp is a
 *   whole ISO 8601 time, so the border cannot be moved. Tolerance 300 s in both directions: Zendesk names
 *   none.
 * - Never set the secret that the documentation gives for tests before a webhook exists: everybody knows
 *   it.
 * - `id` names the event (recalled, not confirmed); where a trigger's own body has none it is the header
 *   `x-zendesk-webhook-invocation-id` (second-hand), which is not signed. Give such a body a `type` too.
 * - Deadline 12 s (recalled, not confirmed). Only some answers are tried again, and there is a circuit
 *   breaker (documented); a 500 is not among them as far as is known, so `redelivers` is false.
 *
 * @see https://developer.zendesk.com/documentation/webhooks/verifying/
 */
export function zendesk(options: ZendeskOptions = {}): ProviderPreset & KnownTypes<ZendeskEventType> {
  refuseUnknownOptions('zendesk', options, []);
  return freezePreset({
    name: 'zendesk',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-zendesk-webhook-signature',
      format: { kind: 'bare' },
      encoding: 'base64',
      timestamp: {
        from: { header: 'x-zendesk-webhook-signature-timestamp' },
        unit: 'iso8601',
        pastSeconds: 300,
        futureSeconds: 300,
      },
      signed: ['timestamp', 'body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['id'] }, { header: 'x-zendesk-webhook-invocation-id' }],
    type: [[{ json: ['type'] }]],
    eventTime: { from: { json: ['time'] }, unit: 'iso8601' },
    headers: [
      'content-type',
      'user-agent',
      'x-zendesk-account-id',
      'x-zendesk-webhook-id',
      'x-zendesk-webhook-invocation-id',
    ],
    successStatus: 200,
    deadline: seconds(12),
    retryHorizon: days(1),
    redelivers: false,
  });
}
