import { hours } from '../core/time.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import { matchSecrets, rejected } from './match-secrets.ts';
import type { ProviderPreset } from './preset.ts';
import { isSameText } from './same-text.ts';
import type { SecretFormat } from './scheme.ts';

/** Nothing about Postmark has to be chosen. */
export type PostmarkOptions = Readonly<Record<string, never>>;

/**
 * Postmark: deliveries, bounces, opens, clicks, complaints, and inbound mail.
 *
 * - Nothing is signed. Postmark sends basic authentication where the webhook's URL names a user and a password
 *   (documented): the secret is `<user>:<password>`, and the URL at Postmark
 *   `https://<user>:<password>@…/webhooks/<source>`. It proves who sent, and nothing about the body.
 * - The type is `RecordType`; inbound mail has none and is `Inbound`.
 * - The id is `MessageID` with what tells its events apart: a bounce's own `ID`, or recipient and time
 *   (documented for `MessageID`, the others recalled, not confirmed). What has none of these is named by its body.
 * - 200 is success; 403 would end the retries and is never answered. Inbound mail is sent again ten times over
 *   about 10.7 h (documented).
 * - An inbound mail with attachments may be larger than this receiver takes (recalled, not confirmed: 35 MB).
 *
 * @see https://postmarkapp.com/developer/webhooks/webhooks-overview
 */
export function postmark(options: PostmarkOptions = {}): ProviderPreset<CodeScheme> {
  refuseUnknownOptions('postmark', options, []);
  const named = (...names: readonly string[]) => names.map((name) => ({ json: [name] }));
  return freezePreset({
    name: 'postmark',
    scheme: { kind: 'code', requires: [HEADER], secret: SECRET, verify },
    body: 'json',
    id: [
      named('RecordType', 'MessageID', 'ID'),
      named('RecordType', 'MessageID', 'Recipient', 'DeliveredAt'),
      named('RecordType', 'MessageID', 'Recipient', 'ReceivedAt'),
      named('RecordType', 'MessageID', 'Recipient', 'ChangedAt'),
    ],
    type: [named('RecordType')],
    defaultType: 'Inbound',
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: hours(11),
    redelivers: true,
  });
}

const HEADER = 'authorization';

/** A user, a colon and a password that people choose; it is compared, so nobody can guess at it but by asking here. */
const SECRET: SecretFormat = { encoding: 'utf8', minKeyBytes: 14 };

/** @see https://www.rfc-editor.org/rfc/rfc7617 */
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

function verify({ request, secrets }: CodeInput): CodeVerification {
  const given = request.headers[HEADER]?.trim() ?? '';
  if (given === '') return rejected('missing_header');
  if (given.includes(',')) return rejected('repeated_header');
  const encoded = BASIC.exec(given)?.[1];
  if (encoded === undefined) return rejected('malformed_signature');
  return matchSecrets(SECRET, secrets, (key) => isSameText(Buffer.from(key).toString('base64'), encoded));
}
