import { createHash, createPublicKey, type KeyObject, verify as verifyEcdsa } from 'node:crypto';
import type { DocumentRequest } from '../core/document-ports.ts';
import { type EpochMs, hours, seconds } from '../core/time.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { freezePreset } from './freeze-preset.ts';
import { jsonBody } from './json-body.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { rejected } from './match-secrets.ts';
import type { ProviderPreset } from './preset.ts';
import { valueAt } from './read-location.ts';
import { isSameText } from './same-text.ts';
import type { RejectionReason, SecretFormat } from './scheme.ts';
import { decodeSecret } from './secret-key.ts';
import { MAX_HEADER_LENGTH } from './signed-headers.ts';

export interface PlaidOptions {
  /** Which Plaid this is; its keys come from its own host and no other. @default 'production' */
  readonly environment?: 'production' | 'sandbox';
}

/**
 * Plaid webhooks.
 *
 * - Signature: `plaid-verification`, a JWT whose header must say ES256 and name a key, `kid`. The key is
 *   asked for at `/webhook_verification_key/get`; `iat` must be at most 5 minutes old, and
 *   `request_body_sha256` the SHA-256 of the body in hex (documented, and second-hand). A key whose
 *   `expired_at` has passed proves nothing any more.
 * - The "secret" is `<client_id>:<secret>` of the Plaid account, with which the key is asked for. The
 *   answer is remembered, and a kid of another shape is never asked about.
 * - Neither an id nor an order, and an equal body comes when something changed again. Were equal bodies one event,
 *   changes would be missed for as long as the dedup window; so every delivery is an event, a retry too, and
 *   handlers fetch what is new, which can be repeated.
 * - The type is `webhook_type` with `webhook_code`, as in `TRANSACTIONS.SYNC_UPDATES_AVAILABLE`.
 * - 200 within 10 s, then again after 30 s and four times the pause each time, up to 24 h (documented). Each
 *   try has a new JWT (recalled, not confirmed).
 *
 * @see https://plaid.com/docs/api/webhooks/webhook-verification/
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or environment.
 */
export function plaid(options: PlaidOptions = {}): ProviderPreset<CodeScheme> {
  refuseProblems('plaid', problemsOf(options));
  const host = HOSTS[options.environment ?? 'production'];
  return freezePreset({
    name: 'plaid',
    scheme: {
      kind: 'code',
      requires: [HEADER],
      privateKey: true,
      secret: SECRET,
      verify: (input) => verify(host, input),
    },
    body: 'json',
    id: [],
    unnamed: 'delivery',
    type: [[{ json: ['webhook_type'] }, { json: ['webhook_code'] }]],
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: hours(24),
    redelivers: true,
  });
}

const HOSTS = { production: 'production.plaid.com', sandbox: 'sandbox.plaid.com' } as const;
const HEADER = 'plaid-verification';
const TOLERANCE_SECONDS = 300;

/** Plaid's ids have 24 hex digits and its secrets 30 (recalled, not confirmed). */
const SECRET: SecretFormat = { encoding: 'utf8', minKeyBytes: 24 };

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const KEY_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Base64url of the 64 bytes of an ES256 signature. */
const SIGNATURE_CHARACTERS = 86;

function verify(host: string, { request, secrets, now, toleranceSeconds, documentOf }: CodeInput): CodeVerification {
  const token = request.headers[HEADER]?.trim() ?? '';
  if (token === '') return rejected('missing_header');
  if (token.length > MAX_HEADER_LENGTH) return rejected('header_too_long');
  if (token.includes(',')) return rejected('repeated_header');
  const [head = '', claims = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || ![head, claims, signature].every((part) => BASE64URL.test(part))) {
    return rejected('malformed_signature');
  }
  const header = jsonBody(Buffer.from(head, 'base64url'));
  const kid = valueAt(header, ['kid']);
  if (valueAt(header, ['alg']) !== 'ES256') return rejected('bad_algorithm');
  if (typeof kid !== 'string' || !KEY_ID.test(kid)) return rejected('key_not_found');
  if (signature.length !== SIGNATURE_CHARACTERS) return rejected('malformed_signature');

  const wrongClaim = findWrongClaim(
    jsonBody(Buffer.from(claims, 'base64url')),
    request.body,
    now,
    toleranceSeconds ?? TOLERANCE_SECONDS,
  );
  const signed = Buffer.from(`${head}.${claims}`);
  let isAsked = false;
  let isUsable = false;
  for (const [secretIndex, secret] of secrets.entries()) {
    const document = keyRequest(host, kid, secret);
    if (document === undefined) continue;
    isUsable = true;
    const answer = documentOf(document);
    if (answer === undefined) {
      // What its own claims refuse is not worth a request, whoever signed it.
      return wrongClaim === undefined ? { kind: 'document-needed', document } : rejected(wrongClaim);
    }
    const key = answer.kind === 'found' ? readKey(answer.text, kid, now) : undefined;
    if (key === undefined) continue;
    isAsked = true;
    const isGenuine = verifyEcdsa(
      'sha256',
      signed,
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    if (isGenuine) return wrongClaim === undefined ? { kind: 'verified', secretIndex } : rejected(wrongClaim);
  }
  if (!isUsable) return rejected('no_usable_secret');
  return rejected(isAsked ? 'signature_mismatch' : 'key_not_found');
}

/** @returns `undefined` for a secret that is not an id and a secret. */
function keyRequest(host: string, kid: string, secret: string): DocumentRequest | undefined {
  const at = secret.indexOf(':');
  if (decodeSecret(SECRET, secret) === undefined || at < 1 || at === secret.length - 1) return undefined;
  const credentials = { client_id: secret.slice(0, at), secret: secret.slice(at + 1) };
  const askedBy = createHash('sha256').update(secret).digest('hex').slice(0, 16);
  return {
    url: `https://${host}/webhook_verification_key/get`,
    hosts: [host],
    json: JSON.stringify({ ...credentials, key_id: kid }),
    name: `${host} ${kid} ${askedBy}`,
  };
}

function findWrongClaim(
  claims: unknown,
  body: Uint8Array,
  now: EpochMs,
  toleranceSeconds: number,
): RejectionReason | undefined {
  const [iat, bodyHash] = [valueAt(claims, ['iat']), valueAt(claims, ['request_body_sha256'])];
  if (typeof iat !== 'number' || !Number.isSafeInteger(iat)) return 'bad_timestamp';
  const age = Math.floor(now / 1000) - iat;
  if (age > toleranceSeconds) return 'timestamp_too_old';
  if (-age > toleranceSeconds) return 'timestamp_too_new';
  const isSame = typeof bodyHash === 'string' && isSameText(createHash('sha256').update(body).digest('hex'), bodyHash);
  return isSame ? undefined : 'body_hash_mismatch';
}

function readKey(text: string, kid: string, now: EpochMs): KeyObject | undefined {
  const jwk = valueAt(jsonBody(Buffer.from(text)), ['key']);
  const [x, y, expiredAt] = [valueAt(jwk, ['x']), valueAt(jwk, ['y']), valueAt(jwk, ['expired_at'])];
  const isExpired = typeof expiredAt === 'number' && expiredAt * 1000 <= now;
  const isEs256 = valueAt(jwk, ['kty']) === 'EC' && valueAt(jwk, ['crv']) === 'P-256' && valueAt(jwk, ['kid']) === kid;
  if (!isEs256 || isExpired || typeof x !== 'string' || typeof y !== 'string') return undefined;
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function problemsOf(options: PlaidOptions): readonly string[] {
  const shape = findUnknownOptions(options, ['environment']);
  if (shape.length > 0) return shape;
  const { environment } = options;
  const isKnown = environment === undefined || environment === 'production' || environment === 'sandbox';
  return isKnown ? [] : [`needs environment to be 'production' or 'sandbox', got ${JSON.stringify(environment)}`];
}
