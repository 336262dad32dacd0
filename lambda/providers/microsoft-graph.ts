import { hours, seconds } from '../core/time.ts';
import { MAX_EVENTS } from './batch.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { freezePreset } from './freeze-preset.ts';
import { jsonBody } from './json-body.ts';
import { refuseUnknownOptions } from './known-options.ts';
import { rejected } from './match-secrets.ts';
import type { ProviderPreset } from './preset.ts';
import { valueAt } from './read-location.ts';
import { isSameText } from './same-text.ts';
import type { SecretFormat } from './scheme.ts';
import { decodeSecret } from './secret-key.ts';

/** Nothing about Microsoft Graph has to be chosen. */
export type MicrosoftGraphOptions = Readonly<Record<string, never>>;

/**
 * Microsoft Graph change notifications without resource data.
 *
 * - Nothing is signed. Every item of `value` carries the `clientState` of its subscription, which must be one of
 *   the source's secrets; one item with another refuses the delivery. Subscriptions may be mixed in one
 *   delivery (documented), so several with states of their own need them all as secrets, or one in common.
 *   The body, and with it the `clientState`, is what handlers get.
 * - `validationTokens`, which come with resource data alone, are not checked.
 * - Handshake: a POST with `validationToken` in the query is answered with it as text (documented).
 * - The id is an item's `id` where there is one. The next change of one resource may have the same bytes, so an item
 *   without an id is an event of its own in every delivery, and a copy makes the handler look once more. The type is
 *   `lifecycleEvent` or `changeType`; an item has one of the two (documented).
 * - A success within 3 s, 202 advised and any 2xx taken; again for up to 4 h (documented). An endpoint of which
 *   10 % of the answers take longer than 2.9 s is throttled (documented).
 *
 * @see https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
 * @see https://learn.microsoft.com/en-us/graph/api/resources/changenotification
 */
export function microsoftGraph(options: MicrosoftGraphOptions = {}): ProviderPreset<CodeScheme> {
  refuseUnknownOptions('microsoftGraph', options, []);
  return freezePreset({
    name: 'microsoft-graph',
    scheme: { kind: 'code', requires: [], secret: SECRET, verify },
    body: 'json',
    batch: ['value'],
    id: [{ json: ['id'] }],
    unnamed: 'delivery',
    type: [[{ json: ['lifecycleEvent'] }], [{ json: ['changeType'] }]],
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(3),
    retryHorizon: hours(4),
    redelivers: true,
    handshake: [{ kind: 'echo-query', method: 'POST', parameter: 'validationToken' }],
  });
}

/** People choose it, and it is compared, not hashed: nobody can guess at it but by asking here. */
const SECRET: SecretFormat = { encoding: 'utf8', minKeyBytes: 14 };

function verify({ request, secrets }: CodeInput): CodeVerification {
  const body = jsonBody(request.body);
  if (body === undefined) return rejected('unreadable_body');
  const items = valueAt(body, ['value']);
  if (!Array.isArray(items) || items.length === 0) return rejected('missing_item_signature');
  if (items.length > MAX_EVENTS) return rejected('too_many_signatures');
  const states = items.map((item: unknown) => valueAt(item, ['clientState']));
  if (states.some((state) => typeof state !== 'string' || state === '')) return rejected('missing_item_signature');

  const usable = secrets.map((secret) => (decodeSecret(SECRET, secret) === undefined ? undefined : secret));
  if (usable.every((secret) => secret === undefined)) return rejected('no_usable_secret');
  let secretIndex = 0;
  for (const state of new Set(states)) {
    const place = usable.map((secret) => secret !== undefined && isSameText(secret, String(state))).indexOf(true);
    if (place < 0) return rejected('signature_mismatch');
    secretIndex = Math.max(secretIndex, place);
  }
  return { kind: 'verified', secretIndex };
}
