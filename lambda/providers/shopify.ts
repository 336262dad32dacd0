import { hours, seconds } from '../core/time.ts';
import type { ShopifyEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { oneOfProblems } from './option-problems.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

export interface ShopifyOptions {
  /**
   * `webhooks` have headers that begin with `x-shopify-`, the newer `events`, which are configured in the
   * app's TOML, with `shopify-`.
   *
   * @default 'webhooks'
   */
  readonly family?: 'webhooks' | 'events';
}

/**
 * Shopify, both families of headers.
 *
 * - Signature: bare base64 in `…-hmac-sha256`, HMAC-SHA256 over the body with the app's client secret as
 *   text (read in the official SDK, @shopify/shopify-api 13.1.0). A webhook that was made by hand in a
 *   store's settings has another secret. No timestamp is signed, and no header, so topic, shop and ids can
 *   be trusted as far as TLS.
 * - The event is named by `…-event-id` with the topic and, where the body has it, `admin_graphql_api_id`:
 *   two subscriptions to one topic deliver one event under one event id (documented), and one event may
 *   concern several objects. Without an event id, which the SDK takes for optional on classic webhooks, it
 *   is `…-webhook-id`, which stays on a retry (second-hand).
 * - Type: the topic, `orders/paid`.
 * - A retry sends the first payload again (documented), so older state may come after newer: order by
 *   `updated_at`. Payloads are full state.
 * - Deadline 5 s in all, 1 s to connect (second-hand); 8 retries within 4 h (documented); after 8 failures
 *   in a row a subscription that the Admin API made is deleted (second-hand). A delivery can be a day late
 *   (documented).
 *
 * @see https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or value.
 */
export function shopify(options: ShopifyOptions = {}): ProviderPreset & KnownTypes<ShopifyEventType> {
  const shape = findUnknownOptions(options, ['family']);
  refuseProblems('shopify', shape.length > 0 ? shape : oneOfProblems('family', options.family, ['webhooks', 'events']));
  const start = options.family === 'events' ? 'shopify' : 'x-shopify';
  const topic = { header: `${start}-topic` };
  const eventId = { header: `${start}-event-id` };
  return freezePreset({
    name: 'shopify',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: `${start}-hmac-sha256`,
      format: { kind: 'bare' },
      encoding: 'base64',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    id: [[eventId, topic, { json: ['admin_graphql_api_id'] }], [eventId, topic], { header: `${start}-webhook-id` }],
    type: [[topic]],
    eventTime: { from: { header: `${start}-triggered-at` }, unit: 'iso8601' },
    orderHint: { from: { json: ['updated_at'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', ...HEADERS.map((name) => `${start}-${name}`)],
    successStatus: 200,
    deadline: seconds(5),
    retryHorizon: hours(4),
    redelivers: true,
  });
}

const HEADERS = [
  'action',
  'api-version',
  'event-id',
  'handle',
  'name',
  'resource-id',
  'shop-domain',
  'sub-topic',
  'topic',
  'triggered-at',
  'webhook-id',
];
