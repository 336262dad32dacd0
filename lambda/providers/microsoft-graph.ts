import { hours, seconds } from '../core/time.ts';
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
 * - The id is an item's `id` where there is one, else the place in the delivery. The type is `lifecycleEvent` or
 *   `changeType`; an item has one of the two (documented).
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
  const states = items.map((item: unknown) => valueAt(item, ['clientState']));
  if (states.some((state) => typeof state !== 'string' || state === '')) return rejected('missing_item_signature');

  const usable = secrets.map((secret) => (decodeSecret(SECRET, secret) === undefined ? undefined : secret));
  if (usable.every((secret) => secret === undefined)) return rejected('no_usable_secret');
  const places = [...new Set(states)].map((state) =>
    usable.map((secret) => secret !== undefined && isSameText(secret, String(state))).indexOf(true),
  );
  return places.includes(-1) ? rejected('signature_mismatch') : { kind: 'verified', secretIndex: Math.max(...places) };
}
