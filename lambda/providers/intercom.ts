import { days, seconds } from '../core/time.ts';
import type { IntercomEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Intercom has to be chosen. */
export type IntercomOptions = Readonly<Record<string, never>>;

/**
 * Intercom.
 *
 * - Signature: `sha1=<hex>` in `x-hub-signature`, HMAC-SHA1 over the body with the app's client secret as
 *   text (second-hand, from several sources). SHA-1 is enough inside an HMAC. No timestamp is signed.
 * - `id`, `notif_…`, names the notification (that it stays on a retry is recalled, not confirmed); `topic`
 *   is the type.
 * - Order is not promised; `created_at`, whole seconds, is to be used (documented).
 * - Deadline 5 s, and slower than 500 ms costs priority; success is 200; failures are sent again, how often
 *   is not said; 1,000 errors in a row pause the endpoint (all documented). A day is assumed.
 *
 * @see https://developers.intercom.com/docs/webhooks
 */
export function intercom(options: IntercomOptions = {}): ProviderPreset & KnownTypes<IntercomEventType> {
  refuseUnknownOptions('intercom', options, []);
  return freezePreset({
    name: 'intercom',
    scheme: {
      kind: 'hmac',
      hash: 'sha1',
      header: 'x-hub-signature',
      format: { kind: 'prefixed', prefix: 'sha1=' },
      encoding: 'hex',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [{ json: ['id'] }],
    type: [[{ json: ['topic'] }]],
    eventTime: { from: { json: ['created_at'] }, unit: 's' },
    orderHint: { from: { json: ['created_at'] }, unit: 's' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(5),
    retryHorizon: days(1),
    redelivers: true,
  });
}
