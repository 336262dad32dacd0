import { assertNever } from '../core/assert-never.ts';
import { hours, seconds } from '../core/time.ts';
import type { HubspotEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { oneOfProblems } from './option-problems.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import type { Scheme } from './scheme.ts';

export interface HubspotOptions {
  /** Which of the signatures is checked; a delivery may have several. @default 'v3' */
  readonly signature?: 'v1' | 'v2' | 'v3';
}

/**
 * HubSpot.
 *
 * - v3: bare base64 in `x-hubspot-signature-v3`, HMAC-SHA256 over
 *   `<method><URL><body><x-hubspot-request-timestamp>` with the client secret as text, 300 s (read in the
 *   official SDK, @hubspot/api-client 13.5.0; its limit is into the past, here it is both). Set `publicUrl`
 *   on the source. HubSpot signs a URL in which some percent escapes are decoded (second-hand), so one with
 *   escapes in its query is to be given whole and decoded.
 * - v1 and v2: hex in `x-hubspot-signature`, the plain SHA-256 of secret and body, or of secret, method,
 *   URL and body (documented vectors in the same SDK). No time is signed. Whoever sees one can append bytes
 *   after it, beginning with padding that is no JSON, so nothing comes of it here. Classic subscriptions
 *   send v1 (documented); take v3 where there is one.
 * - A batch: an array of up to 100 events (documented). An `eventId` alone may repeat (recalled, not
 *   confirmed), so an event is named by portal, subscription, `eventId`, `occurredAt` and object.
 * - Type: `subscriptionType`, such as `contact.creation`. Order: `occurredAt`, milliseconds; not promised.
 * - Deadline 5 s a batch, up to 10 retries over 24 h (documented).
 *
 * @see https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or value.
 */
export function hubspot(options: HubspotOptions = {}): ProviderPreset & KnownTypes<HubspotEventType> {
  const shape = findUnknownOptions(options, ['signature']);
  refuseProblems(
    'hubspot',
    shape.length > 0 ? shape : oneOfProblems('signature', options.signature, ['v1', 'v2', 'v3']),
  );
  return freezePreset({
    name: 'hubspot',
    scheme: schemeOf(options.signature ?? 'v3'),
    body: 'json',
    batch: [],
    id: [
      [
        { json: ['portalId'] },
        { json: ['subscriptionId'] },
        { json: ['eventId'] },
        { json: ['occurredAt'] },
        { json: ['objectId'] },
      ],
      [{ json: ['portalId'] }, { json: ['subscriptionId'] }, { json: ['eventId'] }, { json: ['occurredAt'] }],
    ],
    type: [[{ json: ['subscriptionType'] }]],
    eventTime: { from: { json: ['occurredAt'] }, unit: 'ms' },
    orderHint: { from: { json: ['occurredAt'] }, unit: 'ms' },
    headers: ['content-type', 'user-agent', 'x-hubspot-request-timestamp', 'x-hubspot-signature-version'],
    successStatus: 200,
    deadline: seconds(5),
    retryHorizon: hours(24),
    redelivers: true,
  });
}

function schemeOf(version: 'v1' | 'v2' | 'v3'): Scheme {
  const secret = { encoding: 'utf8', minKeyBytes: 16 } as const;
  const plainHash = { kind: 'secret-hash', hash: 'sha256', header: 'x-hubspot-signature', encoding: 'hex' } as const;
  const format = { kind: 'bare' } as const;
  switch (version) {
    case 'v1':
      return { ...plainHash, format, signed: ['body'], secret };
    case 'v2':
      return { ...plainHash, format, signed: ['method', 'url', 'body'], secret };
    case 'v3':
      return {
        kind: 'hmac',
        hash: 'sha256',
        header: 'x-hubspot-signature-v3',
        format,
        encoding: 'base64',
        timestamp: {
          from: { header: 'x-hubspot-request-timestamp' },
          unit: 'ms',
          pastSeconds: 300,
          futureSeconds: 300,
        },
        signed: ['method', 'url', 'body', 'timestamp'],
        secret,
      };
    default:
      return assertNever(version);
  }
}
