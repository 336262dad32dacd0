import { createHash } from 'node:crypto';
import { hours } from '../core/time.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { formFields, looksLikeJson } from './form.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import { matchSecrets, rejected } from './match-secrets.ts';
import type { ProviderPreset } from './preset.ts';
import { isSameText } from './same-text.ts';
import type { SecretFormat } from './scheme.ts';

/** Nothing about SSLCommerz has to be chosen. */
export type SslcommerzOptions = Readonly<Record<string, never>>;

/**
 * SSLCommerz, instant payment notifications (IPN).
 *
 * - Signature, all of it recalled and not confirmed, but agreeing with third-party code: `verify_sign` is the
 *   MD5 in hex of `name=value` of the fields that `verify_key` lists, with `store_passwd=<MD5 of the store password>`
 *   among them, sorted by name and joined with `&`. `verify_sign_sha2` is not looked at.
 * - This is a hint, not a proof: MD5 of a guessable password can be guessed at from one notification. Let the
 *   handler confirm with the validation API by `val_id`, and compare amount and currency.
 * - What is used for identity and money must be signed: of `tran_id`, `val_id`, `amount`, `currency` and `status`,
 *   all that are there must be listed, `tran_id` and `status` must be there, and no field may come twice. Nothing is
 *   escaped in what is signed, so none of them may hold `&` or `=`, and a body that reads as JSON is refused.
 * - The id is `val_id`, or `tran_id` with `status` where a payment failed and has none. The type is `status`.
 * - Deadline and retries are not known.
 *
 * @see https://developer.sslcommerz.com/doc/v4/
 */
export function sslcommerz(options: SslcommerzOptions = {}): ProviderPreset<CodeScheme> {
  refuseUnknownOptions('sslcommerz', options, []);
  return freezePreset({
    name: 'sslcommerz',
    scheme: { kind: 'code', requires: [], secret: SECRET, verify },
    body: 'json-or-form',
    id: [{ json: ['val_id'] }, [{ json: ['tran_id'] }, { json: ['status'] }]],
    type: [[{ json: ['status'] }]],
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(24),
    redelivers: false,
  });
}

/** SSLCommerz makes store passwords, such as `teststore@ssl` (recalled, not confirmed). */
const SECRET: SecretFormat = { encoding: 'utf8', minKeyBytes: 8 };

const MUST_BE_THERE = ['tran_id', 'status'];
const MUST_BE_SIGNED = ['tran_id', 'val_id', 'amount', 'currency', 'status'];

/** A notification has about 40 fields. */
const MAX_FIELDS = 200;

function verify({ request, secrets }: CodeInput): CodeVerification {
  const text = Buffer.from(request.body).toString('utf8');
  // It would be verified as a form and read as JSON, whose members nobody signed.
  if (looksLikeJson(text)) return rejected('unreadable_body');
  const fields = formFields(text);
  const form = new Map(fields);
  if (fields.length > MAX_FIELDS || form.size !== fields.length) return rejected('repeated_header');
  const given = form.get('verify_sign')?.trim().toLowerCase() ?? '';
  if (given === '') return rejected('missing_header');
  if (!/^[0-9a-f]{32}$/.test(given)) return rejected('malformed_signature');
  const listed = new Set((form.get('verify_key') ?? '').split(',').filter((name) => form.has(name)));
  const isCovered = MUST_BE_SIGNED.every((name) => !form.has(name) || listed.has(name));
  if (!isCovered || !MUST_BE_THERE.every((name) => listed.has(name))) return rejected('uncovered_field');

  const signed = new Map([...listed].map((name) => [name, form.get(name) ?? '']));
  if (!hasFirmBorders(signed)) return rejected('uncovered_field');
  return matchSecrets(SECRET, secrets, (password) => isSameText(sslcommerzSignature(signed, password), given));
}

/**
 * Whether no border between what is signed can be moved: `a=1&b=2` as one value is signed as two fields are. Names are words,
 * and no value that names an event or moves money holds what stands between fields.
 */
const hasFirmBorders = (signed: ReadonlyMap<string, string>): boolean =>
  [...signed.keys()].every((name) => /^[A-Za-z0-9_]+$/.test(name)) &&
  MUST_BE_SIGNED.every((name) => !/[&=]/.test(signed.get(name) ?? ''));

/** Of the listed fields, in hex. */
export function sslcommerzSignature(listed: ReadonlyMap<string, string>, password: Uint8Array): string {
  const text = [...new Map(listed).set('store_passwd', md5(password))]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  let end = text.length;
  while (text[end - 1] === '&') end -= 1;
  return md5(text.slice(0, end));
}

const md5 = (value: string | Uint8Array): string => createHash('md5').update(value).digest('hex');
