import { createHmac } from 'node:crypto';
import { days, seconds } from '../core/time.ts';
import { MAX_EVENTS } from './batch.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { freezePreset } from './freeze-preset.ts';
import { jsonBody } from './json-body.ts';
import { refuseUnknownOptions } from './known-options.ts';
import { matchSecrets, rejected } from './match-secrets.ts';
import type { ProviderPreset } from './preset.ts';
import { valueAt } from './read-location.ts';
import { isSameText } from './same-text.ts';
import type { SecretFormat } from './scheme.ts';

/** Nothing about Adyen has to be chosen. */
export type AdyenOptions = Readonly<Record<string, never>>;

/**
 * Adyen, standard webhooks (payments). Its platform webhooks sign the body, as `hmac()` describes with `header:
 * 'HmacSignature'`, `encoding: 'base64'` and `secretEncoding: 'hex'`.
 *
 * - Signature: in each item, `additionalData.hmacSignature`, base64 of an HMAC-SHA256 with the key's hex
 *   decoded over `pspReference:originalReference:merchantAccountCode:merchantReference:amount.value:amount.currency:eventCode:success`,
 *   nothing for what is missing and nothing escaped (read in the official SDK, @adyen/api-library 32.1.0). One
 *   item that is not genuine refuses the delivery. A colon could move the borders between the fields, so one is
 *   refused but in `merchantReference`, the only field that merchants write as they like.
 * - Only these eight fields are protected. A delivery with another `reason` or `eventDate` is as genuine
 *   as before; a receiver cannot tell, so it is accepted, and a handler must not rely on other fields.
 * - No time is signed, so only the inbox stops a replay.
 * - The id is `eventCode` with `pspReference`, both signed: duplicates share them (second-hand). The type is
 *   `eventCode`. `eventDate` orders (second-hand), may differ between duplicates and is not signed.
 * - A delivery carries `notificationItems`, normally one; the SDK's own tool takes the first and only.
 * - Any 2xx within 10 s (documented). The older contract asked for the text `[accepted]` (recalled, not
 *   confirmed) and is not kept.
 * - Adyen sends again after 9, 18 and 27 s, then from its queue for up to 30 days (documented).
 * - A new key takes time to spread: the one before it stays valid for a while (documented).
 *
 * @see https://docs.adyen.com/development-resources/webhooks/verify-hmac-signatures
 * @see https://docs.adyen.com/development-resources/webhooks/handle-webhook-events
 */
export function adyen(options: AdyenOptions = {}): ProviderPreset<CodeScheme> {
  refuseUnknownOptions('adyen', options, []);
  return freezePreset({
    name: 'adyen',
    scheme: { kind: 'code', requires: [], secret: SECRET, verify },
    body: 'json',
    batch: ['notificationItems'],
    id: [[{ json: [ITEM, 'eventCode'] }, { json: [ITEM, 'pspReference'] }]],
    type: [[{ json: [ITEM, 'eventCode'] }]],
    eventTime: { from: { json: [ITEM, 'eventDate'] }, unit: 'iso8601' },
    orderHint: { from: { json: [ITEM, 'eventDate'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: days(30),
    redelivers: true,
  });
}

/** What an entry of the list holds its item in. */
export const ITEM = 'NotificationRequestItem';

/** Adyen makes keys of 32 bytes; one of less than 16 was cut off when it was copied. */
const SECRET: SecretFormat = { encoding: 'hex', minKeyBytes: 16 };

/** The one field that may have colons: what is before and behind it has a fixed number of them. */
const MERCHANT_REFERENCE = ['merchantReference'] as const;

const SIGNED_FIELDS = [
  ['pspReference'],
  ['originalReference'],
  ['merchantAccountCode'],
  MERCHANT_REFERENCE,
  ['amount', 'value'],
  ['amount', 'currency'],
  ['eventCode'],
  ['success'],
] as const;

function verify({ request, secrets }: CodeInput): CodeVerification {
  const body = jsonBody(request.body);
  if (body === undefined) return rejected('unreadable_body');
  const entries = valueAt(body, ['notificationItems']);
  if (!Array.isArray(entries) || entries.length === 0) return rejected('missing_item_signature');
  if (entries.length > MAX_EVENTS) return rejected('too_many_signatures');

  const items = entries.map((entry: unknown) => {
    const item = valueAt(entry, [ITEM]);
    const signature = valueAt(item, ['additionalData', 'hmacSignature']);
    return { signature, item };
  });
  if (items.some(({ signature }) => typeof signature !== 'string' || signature === '')) {
    return rejected('missing_item_signature');
  }
  if (!items.every(({ item }) => hasOneReading(item))) return rejected('ambiguous_field');
  return matchSecrets(
    SECRET,
    secrets,
    (key) =>
      !items.map(({ signature, item }) => isSameText(adyenSignature(item, key), String(signature))).includes(false),
  );
}

/** Whether the signed text can be no other fields than these. */
const hasOneReading = (item: unknown): boolean =>
  SIGNED_FIELDS.every((path) => {
    const value = valueAt(item, path);
    if (value === undefined || value === null) return true;
    if (typeof value !== 'string') return OTHER_KINDS.get(path.join('.'))?.includes(typeof value) === true;
    return path === MERCHANT_REFERENCE || !value.includes(':');
  });

/** What a field may be that is no text. */
const OTHER_KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['amount.value', ['number', 'bigint']],
  ['success', ['boolean']],
]);

/** Of one item, in base64. */
export function adyenSignature(item: unknown, key: Uint8Array): string {
  const signed = SIGNED_FIELDS.map((path) => written(valueAt(item, path))).join(':');
  return createHmac('sha256', key).update(signed).digest('base64');
}

/** As the SDK writes it into what is signed. */
const written = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : '';
