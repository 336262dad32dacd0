import { verify as verifyRsa } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { days } from '../core/time.ts';
import { certificateKey } from './certificate-key.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import { matchSecrets, rejected } from './match-secrets.ts';
import { pinnedUrl } from './pinned-url.ts';
import type { ProviderPreset } from './preset.ts';
import type { SecretFormat } from './scheme.ts';
import { MAX_HEADER_LENGTH } from './signed-headers.ts';

export interface PaypalOptions {
  /** Which PayPal this is; its certificates come from its own host and no other. @default 'live' */
  readonly mode?: 'live' | 'sandbox';
}

/**
 * PayPal webhooks.
 *
 * - Signature: `paypal-transmission-sig`, base64 of RSA with SHA-256 (`paypal-auth-algo` says
 *   `SHA256withRSA`) over `<paypal-transmission-id>|<paypal-transmission-time>|<webhook id>|<CRC32 of the body in decimal>`,
 *   with the certificate at `paypal-cert-url` (second-hand). The address must be one of the certificates on the
 *   mode's own host (recalled, not confirmed); what proves the certificate is the TLS connection to that
 *   host, and it must be valid now.
 * - The "secret" is the webhook's id, as PayPal shows it. It is no secret, but without it every
 *   delivery to any merchant would pass.
 * - Of the body only its CRC32 is signed, and a body with a wanted CRC32 is easily made. Whoever holds a
 *   genuine delivery can send another body with it: a handler of money has to ask PayPal for the resource.
 * - The transmission time is not judged, because it is not known whether a retry has a new one; with
 *   `toleranceSeconds` on the source it is.
 * - The id is `id` (`WH-…`), the same on a retry (recalled, not confirmed); the type is `event_type`; the
 *   event's time is `create_time`.
 * - Up to 25 tries over 3 days (second-hand). How long PayPal waits is not published.
 * - Events of the simulator are not signed with a certificate that can be had (second-hand).
 *
 * @see https://developer.paypal.com/api/rest/webhooks/rest/
 * @throws OncehookError `CONFIG_INVALID` for an unknown option or mode.
 */
export function paypal(options: PaypalOptions = {}): ProviderPreset<CodeScheme> {
  refuseProblems('paypal', problemsOf(options));
  const host = HOSTS[options.mode ?? 'live'];
  return freezePreset({
    name: 'paypal',
    scheme: {
      kind: 'code',
      requires: Object.values(HEADERS),
      privateKey: true,
      secret: SECRET,
      verify: (input) => verify(host, input),
    },
    body: 'json',
    id: [{ json: ['id'] }],
    type: [[{ json: ['event_type'] }]],
    eventTime: { from: { json: ['create_time'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', HEADERS.id, HEADERS.time],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: days(3),
    redelivers: true,
  });
}

const HOSTS = { live: 'api.paypal.com', sandbox: 'api.sandbox.paypal.com' } as const;

const HEADERS = {
  id: 'paypal-transmission-id',
  time: 'paypal-transmission-time',
  signature: 'paypal-transmission-sig',
  certificate: 'paypal-cert-url',
  algorithm: 'paypal-auth-algo',
} as const;

/** The webhook's id; those of PayPal have 17 characters and more (recalled, not confirmed). */
const SECRET: SecretFormat = { encoding: 'utf8', minKeyBytes: 10 };

const CERTIFICATE_PATH = /^\/v1\/notifications\/certs\/[A-Za-z0-9_-]{1,128}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function verify(host: string, { request, secrets, now, toleranceSeconds, documentOf }: CodeInput): CodeVerification {
  const read = (name: string): string => request.headers[name]?.trim() ?? '';
  const values = Object.values(HEADERS).map(read);
  if (values.includes('')) return rejected('missing_header');
  if (values.some((value) => value.length > MAX_HEADER_LENGTH)) return rejected('header_too_long');
  if (values.some((value) => value.includes(','))) return rejected('repeated_header');
  const [id, time, signature] = [read(HEADERS.id), read(HEADERS.time), read(HEADERS.signature)];
  if (read(HEADERS.algorithm) !== 'SHA256withRSA') return rejected('bad_algorithm');
  if (id.includes('|')) return rejected('bad_id');
  if (!ISO_TIME.test(time) || Number.isNaN(Date.parse(time))) return rejected('bad_timestamp');
  if (!BASE64.test(signature)) return rejected('malformed_signature');
  const url = pinnedUrl(read(HEADERS.certificate), host, CERTIFICATE_PATH);
  if (url === undefined) return rejected('cert_url_not_allowed');

  const document = { url, hosts: [host], name: url };
  const answer = documentOf(document);
  if (answer === undefined) return { kind: 'document-needed', document };
  const key = answer.kind === 'found' ? certificateKey(answer.text, now) : undefined;
  if (key === undefined) return rejected('key_not_found');

  const checksum = crc32(request.body);
  const verdict = matchSecrets(SECRET, secrets, (webhookId) =>
    verifyRsa(
      'sha256',
      Buffer.from(`${id}|${time}|${Buffer.from(webhookId).toString('utf8')}|${checksum}`),
      key,
      Buffer.from(signature, 'base64'),
    ),
  );
  if (verdict.kind === 'rejected' || toleranceSeconds === undefined) return verdict;
  const age = now - Date.parse(time);
  if (age > toleranceSeconds * 1000) return rejected('timestamp_too_old');
  return -age > toleranceSeconds * 1000 ? rejected('timestamp_too_new') : verdict;
}

function problemsOf(options: PaypalOptions): readonly string[] {
  const shape = findUnknownOptions(options, ['mode']);
  if (shape.length > 0) return shape;
  const { mode } = options;
  const isKnown = mode === undefined || mode === 'live' || mode === 'sandbox';
  return isKnown ? [] : [`needs mode to be 'live' or 'sandbox', got ${JSON.stringify(mode)}`];
}
