import { verify as verifyRsa } from 'node:crypto';
import type { DocumentRequest } from '../core/document-ports.ts';
import { hours, seconds } from '../core/time.ts';
import { certificateKey } from './certificate-key.ts';
import type { CodeInput, CodeScheme, CodeVerification } from './code-scheme.ts';
import { freezePreset } from './freeze-preset.ts';
import { jsonBody } from './json-body.ts';
import { refuseUnknownOptions } from './known-options.ts';
import { matchSecrets, rejected } from './match-secrets.ts';
import { pinnedUrl } from './pinned-url.ts';
import type { ProviderPreset } from './preset.ts';
import { valueAt } from './read-location.ts';
import { isSameText } from './same-text.ts';
import type { SecretFormat } from './scheme.ts';

/** Nothing about SNS has to be chosen. */
export type AwsSnsOptions = Readonly<Record<string, never>>;

/**
 * Amazon SNS over HTTPS, also of others who notify by it, such as bKash. Raw message delivery is not
 * signed and not accepted.
 *
 * - Signature: `Signature`, base64 of RSA with SHA-1 (`SignatureVersion` 1) or SHA-256 (2) over the lines of
 *   name and value of certain fields, with the certificate at `SigningCertURL` (documented; read in
 *   sns-validator 0.3.5). `MessageAttributes` is not signed. Nothing is escaped there, so a value could be read
 *   as further lines, and one signature be good for two ids: a line break is refused but in `Message`, and so
 *   is a `MessageId` that is no UUID, which each is (documented).
 * - The "secret" is the topic's ARN. It is no secret, but SNS signs for everybody's topics, and AWS says to
 *   refuse an unexpected one (documented). A delivery of another topic is refused before anything is
 *   asked for, and the certificate comes from the SNS host of the topic's own Region and no other.
 * - `SubscriptionConfirmation` is answered by confirming, at that host, the configured topic with the token that
 *   was signed; the URL in the message is not followed. `UnsubscribeConfirmation` is an event like
 *   `Notification`, so that a handler can see it.
 * - The id is `MessageId`, the same on a retry (documented); the event's time is `Timestamp`, when it was published.
 *   The signature stays valid for ever: only the inbox stops a replay, or `toleranceSeconds` on the source, which
 *   has to be longer than the retries.
 * - Deadline 15 s, retries over at most an hour (recalled, not confirmed).
 *
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 * @see https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html
 */
export function awsSns(options: AwsSnsOptions = {}): ProviderPreset<CodeScheme> {
  refuseUnknownOptions('awsSns', options, []);
  return freezePreset({
    name: 'aws-sns',
    scheme: { kind: 'code', requires: [], privateKey: true, secret: SECRET, verify },
    body: 'json',
    id: [{ json: ['MessageId'] }],
    type: [[{ json: ['Type'] }]],
    eventTime: { from: { json: ['Timestamp'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(15),
    retryHorizon: hours(1),
    redelivers: true,
    handshake: [
      { kind: 'confirm', mark: { at: { json: ['Type'] }, is: 'SubscriptionConfirmation' }, request: confirmation },
    ],
  });
}

/** An ARN; `arn:aws:sns:us-east-1:123456789012:a` has 36 characters. */
const SECRET: SecretFormat = { encoding: 'utf8', minKeyBytes: 30 };

const ARN = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[A-Za-z0-9_.-]+$/;
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[A-Za-z0-9]{1,64}\.pem$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LINE_BREAK = /[\r\n]/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** In the order in which they are signed; a notification's subject only where it has one. */
const SIGNED_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']],
  ['UnsubscribeConfirmation', ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']],
]);

const HASHES: ReadonlyMap<unknown, string> = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
]);

function verify({ request, secrets, now, toleranceSeconds, documentOf }: CodeInput): CodeVerification {
  const body = jsonBody(request.body);
  if (body === undefined) return rejected('unreadable_body');
  const field = (name: string): string | undefined => {
    const value = valueAt(body, [name]);
    return typeof value === 'string' ? value : undefined;
  };
  const signature = field('Signature');
  if (signature === undefined || signature === '') return rejected('missing_header');
  if (!BASE64.test(signature)) return rejected('malformed_signature');
  const hash = HASHES.get(field('SignatureVersion'));
  if (hash === undefined) return rejected('bad_algorithm');
  const names = signedFields(field);
  if (names === undefined) return rejected('uncovered_field');
  if (names.some((name) => name !== 'Message' && LINE_BREAK.test(field(name) ?? ''))) {
    return rejected('ambiguous_field');
  }
  if (!UUID.test(field('MessageId') ?? '')) return rejected('bad_id');
  const topic = field('TopicArn') ?? '';
  const ours = matchSecrets(SECRET, secrets, (arn) => isSameText(textOf(arn), topic), 'unexpected_topic');
  if (ours.kind === 'rejected') return ours;
  const host = hostOf(topic);
  if (host === undefined) return rejected('no_usable_secret');
  const url = pinnedUrl(field('SigningCertURL') ?? '', host, CERTIFICATE_PATH);
  if (url === undefined) return rejected('cert_url_not_allowed');

  const document = { url, hosts: [host], name: url };
  const answer = documentOf(document);
  if (answer === undefined) return { kind: 'document-needed', document };
  const key = answer.kind === 'found' ? certificateKey(answer.text, now) : undefined;
  if (key === undefined) return rejected('key_not_found');
  const signed = names.map((name) => `${name}\n${field(name) ?? ''}\n`).join('');
  if (!verifyRsa(hash, Buffer.from(signed), key, Buffer.from(signature, 'base64')))
    return rejected('signature_mismatch');
  if (toleranceSeconds === undefined) return ours;

  const age = now - Date.parse(field('Timestamp') ?? '');
  if (!(age <= toleranceSeconds * 1000)) return rejected('timestamp_too_old');
  return -age > toleranceSeconds * 1000 ? rejected('timestamp_too_new') : ours;
}

/** @returns `undefined` when a field that has to be signed is not there. */
function signedFields(field: (name: string) => string | undefined): readonly string[] | undefined {
  const names = SIGNED_FIELDS.get(field('Type'))?.filter((name) => name !== 'Subject' || field(name) !== undefined);
  return names?.every((name) => field(name) !== undefined) === true ? names : undefined;
}

/** @returns `undefined` for what is no topic's ARN. */
function hostOf(topic: string): string | undefined {
  const [, partition, region] = ARN.exec(topic) ?? [];
  if (region === undefined) return undefined;
  return `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}

/** @see https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html */
function confirmation(body: unknown, topic: string): DocumentRequest | undefined {
  const [host, token] = [hostOf(topic), valueAt(body, ['Token'])];
  if (host === undefined || typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_CHARACTERS)
    return undefined;
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topic, Token: token });
  return { url: `https://${host}/?${query}`, hosts: [host], name: `confirm ${topic}` };
}

/** Tokens of SNS have about 270 characters. */
const MAX_TOKEN_CHARACTERS = 1024;

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
