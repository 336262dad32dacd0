import { sha256Hex } from '../core/inbox-key.ts';
import { type EpochMs, toEpochSeconds } from '../core/time.ts';
import { decodeSecret } from '../providers/secret-key.ts';
import { signDelivery } from '../providers/sign.ts';
import { standardWebhooksScheme, WHSEC } from '../providers/standard-webhooks-scheme.ts';

const scheme = standardWebhooksScheme('webhook', WHSEC);

/** The header with the signatures. */
const SIGNATURE = 'webhook-signature';

export const isSigningSecret = (secret: string): boolean => decodeSecret(scheme.secret, secret) !== undefined;

/**
 * The headers of a request, signed as Standard Webhooks 1.0.0 says: one signature a secret, the current first, so that
 * a target may take up a new secret when it likes.
 *
 * `idempotency-key` is the outbox id, and `webhook-id` too. An id with characters that a header has no room for is
 * replaced by its SHA-256 in hex; so is, as the `webhook-id` alone, one with a full stop, which separates what is signed.
 *
 * @param secrets Each of them {@link isSigningSecret}.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signRequest(
  outboxId: string,
  body: Uint8Array,
  secrets: readonly string[],
  now: EpochMs,
): Readonly<Record<string, string>> {
  const id = /^[\x21-\x2d\x2f-\x7e]+$/.test(outboxId) ? outboxId : sha256Hex(outboxId);
  const delivery = { id, timestamp: toEpochSeconds(now), body };
  const signed = secrets.map((secret) => signDelivery(scheme, secret, delivery));
  return {
    ...signed[0],
    [SIGNATURE]: signed.map((headers) => headers[SIGNATURE]).join(' '),
    'idempotency-key': /^[\x21-\x7e]+$/.test(outboxId) ? outboxId : sha256Hex(outboxId),
    'content-type': 'application/json',
    'user-agent': 'oncehook',
  };
}
