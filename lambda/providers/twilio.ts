import { createHash, createHmac } from 'node:crypto';
import { stringify as legacyQuery, parse as parseLegacyQuery } from 'node:querystring';
import { hours, seconds } from '../core/time.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { formFields, looksLikeJson } from './form.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import { matchSecrets, rejected } from './match-secrets.ts';
import type { ProviderPreset } from './preset.ts';
import { isSameText } from './same-text.ts';
import type { SecretFormat } from './scheme.ts';

/** Nothing about Twilio has to be chosen; `publicUrl` is an option of the source, and needed. */
export type TwilioOptions = Readonly<Record<string, never>>;

/**
 * Twilio: messages, calls and their status callbacks.
 *
 * - Signature: `x-twilio-signature`, base64 of an HMAC-SHA1 over the public URL and, of a form, every
 *   parameter, sorted by name, as name and value without anything between them; a repeated name stands for its
 *   different values, sorted. The key is the account's auth token as text. With
 *   `x-twilio-webhooks-signature-settings: …,algorithm=HMAC_SHA256` it is SHA-256 and a shared key. A JSON body
 *   is signed by its SHA-256 in the query, `bodySHA256`, and the parameters are not (read in the official SDK,
 *   twilio 6.3.1, with the forms of the URL that it tries: without a port, with it or the usual one, and with
 *   the query escaped as older back ends do).
 * - No time is signed, so only the inbox stops a replay. Nothing stands between names and values, so
 *   whoever holds a genuine delivery can move that border: `a=bc` and `ab=c` are signed alike. A form in which a
 *   parameter that names the event may have been moved or doubled is refused; so is a message whose text holds the
 *   name of one that it has not, such as `MessageStatus`.
 * - `publicUrl` is the URL as Twilio has it; the query counts as it was sent.
 * - The id is `MessageSid` with `MessageStatus` or `SmsStatus`, or `CallSid` with `CallStatus`, all of them
 *   signed; `i-twilio-idempotency-token` (second-hand) is not signed and is for the rest. A resend has the same
 *   (second-hand).
 * - The type is the status: `message.delivered`, `call.completed` are `delivered` and `completed`; the URL says
 *   which of the two it is. Anything without a status is `received`.
 * - A status callback can overtake the one before it (recalled, not confirmed).
 * - Deadline 15 s (recalled, not confirmed). Twilio sends again only where the URL's fragment asks for it
 *   (documented); Event Streams for up to 4 h (documented).
 * - For messages and calls that want TwiML, the answer's JSON is none, and Twilio notes a warning.
 *
 * @see https://www.twilio.com/docs/usage/webhooks/webhooks-security
 * @see https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export function twilio(options: TwilioOptions = {}): ProviderPreset<CodeScheme> {
  refuseUnknownOptions('twilio', options, []);
  return freezePreset({
    name: 'twilio',
    scheme: { kind: 'code', requires: [HEADER], signsUrl: true, secret: SECRET, verify },
    body: 'json-or-form',
    id: [
      [{ json: ['MessageSid'] }, { json: ['MessageStatus'] }],
      [{ json: ['MessageSid'] }, { json: ['SmsStatus'] }],
      [{ json: ['CallSid'] }, { json: ['CallStatus'] }],
      { header: 'i-twilio-idempotency-token' },
    ],
    type: [[{ json: ['MessageStatus'] }], [{ json: ['SmsStatus'] }], [{ json: ['CallStatus'] }]],
    defaultType: 'received',
    headers: ['content-type', 'user-agent', 'i-twilio-idempotency-token'],
    successStatus: 200,
    deadline: seconds(15),
    retryHorizon: hours(4),
    redelivers: false,
  });
}

const HEADER = 'x-twilio-signature';
const SETTINGS_HEADER = 'x-twilio-webhooks-signature-settings';

/** An auth token has 32 hex digits (recalled, not confirmed), so one below 16 was cut off when it was copied. */
const SECRET: SecretFormat = { encoding: 'utf8', minKeyBytes: 16 };

const SIGNATURE_LENGTH = { sha1: 28, sha256: 44 } as const;

/** Parameters of one form; a message with media and all its data has about 60. */
const MAX_PARAMETERS = 1000;

function verify({ request, secrets }: CodeInput): CodeVerification {
  const given = request.headers[HEADER]?.trim() ?? '';
  if (given === '') return rejected('missing_header');
  if (given.includes(',')) return rejected('repeated_header');
  const settings = request.headers[SETTINGS_HEADER] ?? '';
  const hash = settings.split(',').some((setting) => setting.trim() === 'algorithm=HMAC_SHA256') ? 'sha256' : 'sha1';
  if (given.length !== SIGNATURE_LENGTH[hash]) return rejected('malformed_signature');

  const query = new URLSearchParams(queryOf(request.url));
  const bodyHashes = query.getAll('bodySHA256');
  const parameters = bodyHashes.length === 0 ? signedParameters(request.body) : '';
  if (parameters === undefined) return rejected('unreadable_body');
  if (bodyHashes.length === 0) {
    const problem = formProblem(request.body, parameters);
    if (problem !== undefined) return rejected(problem);
  }
  const verdict = matchSecrets(SECRET, secrets, (key) =>
    signedUrls(request.url)
      .map((url) => isSameText(createHmac(hash, key).update(url).update(parameters).digest('base64'), given))
      .includes(true),
  );
  if (verdict.kind === 'rejected' || bodyHashes.length === 0) return verdict;
  const bodyHash = createHash('sha256').update(request.body).digest('hex');
  return bodyHashes.every((one) => isSameText(bodyHash, one)) ? verdict : rejected('body_hash_mismatch');
}

/** Parameters that name an event, each with those that must not be hidden beside it. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  MessageSid: ['MessageStatus', 'SmsStatus'],
  CallSid: ['CallStatus'],
};

/** Two letters and 32 hex digits: what is appended by a border that was moved makes it longer. */
const SID_CHARACTERS = 34;

/**
 * What makes a form unfit to name an event, although its signature may be right. It would be read as JSON, whose members
 * nobody signed; a naming parameter comes twice, which is signed as if it came once; or one was hidden in another's
 * name or value, by moving the border that nothing marks.
 */
function formProblem(
  body: Uint8Array,
  signed: string,
): 'unreadable_body' | 'repeated_header' | 'uncovered_field' | undefined {
  const text = Buffer.from(body).toString('utf8');
  if (looksLikeJson(text)) return 'unreadable_body';
  const form = new URLSearchParams(text);
  const isHidden = (name: string): boolean => signed.includes(name) && !form.has(name);
  for (const [sid, statuses] of Object.entries(NAMING)) {
    if ([sid, ...statuses].some((name) => form.getAll(name).length > 1)) return 'repeated_header';
    if (isHidden(sid) || (form.get(sid) ?? '').length > SID_CHARACTERS) return 'uncovered_field';
    if (form.has(sid) && statuses.some(isHidden)) return 'uncovered_field';
  }
  return undefined;
}

/**
 * What is signed of a form, names in the order of their characters' codes, as the SDK sorts them.
 *
 * @returns `undefined` for too many parameters.
 */
export function signedParameters(body: Uint8Array): string | undefined {
  const fields = formFields(Buffer.from(body).toString('utf8'));
  if (fields.length > MAX_PARAMETERS) return undefined;
  const values = new Map<string, Set<string>>();
  for (const [name, value] of fields) values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, set]) =>
      [...set]
        .sort()
        .map((value) => `${name}${value}`)
        .join(''),
    )
    .join('');
}

/** Every way in which some back end of Twilio writes the URL before it signs it. */
function signedUrls(url: string): readonly string[] {
  const parts = /^(https?):\/\/([^/?#]*?)(:\d+)?(\/[^?#]*)?(\?.*)?$/.exec(url);
  if (parts === null) return [url];
  const [, protocol = '', host = '', port = '', path = '/', search = ''] = parts;
  const usualPort = protocol === 'https' ? ':443' : ':80';
  const query = queryOf(url);
  const queries =
    search === '' ? [''] : [search, search.replaceAll("'", '%27'), `?${legacyQuery(parseLegacyQuery(query))}`];
  const urls = ['', port === '' ? usualPort : port].flatMap((ownPort) =>
    queries.map((written) => `${protocol}://${host}${ownPort}${path}${written}`),
  );
  return [...new Set([url, ...urls])];
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}
