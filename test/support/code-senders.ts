import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DocumentAnswer, DocumentRequest } from '../../lambda/core/document-ports.ts';
import { type EpochMs, epochMs } from '../../lambda/core/time.ts';
import { adyen } from '../../lambda/providers/adyen.ts';
import { awsSns } from '../../lambda/providers/aws-sns.ts';
import type { CodeScheme } from '../../lambda/providers/code-scheme.ts';
import { microsoftGraph } from '../../lambda/providers/microsoft-graph.ts';
import { paypal } from '../../lambda/providers/paypal.ts';
import { plaid } from '../../lambda/providers/plaid.ts';
import { postmark } from '../../lambda/providers/postmark.ts';
import type { ProviderPreset } from '../../lambda/providers/preset.ts';
import { sslcommerz } from '../../lambda/providers/sslcommerz.ts';
import { twilio } from '../../lambda/providers/twilio.ts';
import { T0 } from './manual-clock.ts';
import { selfSigned } from './self-signed.ts';

/** A delivery as it is on the wire. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A provider whose scheme is code, as the tests play it. */
export interface CodeSender {
  readonly preset: ProviderPreset<CodeScheme>;
  readonly publicUrl?: string;
  readonly secret: string;
  /** As good as `secret`, but not the one that signs. */
  readonly otherSecret: string;
  /** A genuine delivery of one event that is called `id`. */
  readonly send: (id: string, secret: string, at: EpochMs) => Sent;
  /** What the provider publishes. */
  readonly publish?: (request: DocumentRequest) => DocumentAnswer;
  /** The event's id in the inbox, and its type. @param at When the delivery is received. */
  readonly eventId: (id: string, at: EpochMs) => string;
  readonly type: string;
}

/** When the certificate counts: at the time of the tests, and on any day that they are run. */
export const CERTIFICATE_VALID = { from: epochMs(Date.UTC(2020, 0)), to: epochMs(Date.UTC(2100, 0)) };
const rsa = selfSigned('test.invalid', new Date(CERTIFICATE_VALID.from), new Date(CERTIFICATE_VALID.to));
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY_ID = 'bfbd5111-8e33-4643-8ced-b2e642a72f3c';

const publishCertificate =
  (url: string) =>
  (request: DocumentRequest): DocumentAnswer =>
    request.url === url && request.json === undefined ? { kind: 'found', text: rsa.certificate } : { kind: 'absent' };

export const TWILIO_URL = 'https://hooks.example/webhooks/twilio';

export function signTwilio(url: string, secret: string, fields: Readonly<Record<string, string>>): string {
  const signed = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHmac('sha1', secret)
    .update(url + signed.flat().join(''))
    .digest('base64');
}

export function adyenItem(secret: string, changes: Readonly<Record<string, unknown>> = {}): object {
  const { pspReference = 'psp-1', eventCode = 'AUTHORISATION' } = changes;
  return adyenItemOf(secret, `${pspReference}::TideTables:cart-1:1250:EUR:${eventCode}:true`)(changes);
}

/** Items under the signature of one text, whatever fields they have. */
export const adyenItemOf =
  (secret: string, signed: string) =>
  (changes: Readonly<Record<string, unknown>>): object => {
    const item: Record<string, unknown> = {
      pspReference: 'psp-1',
      merchantAccountCode: 'TideTables',
      merchantReference: 'cart-1',
      amount: { value: 1250, currency: 'EUR' },
      eventCode: 'AUTHORISATION',
      eventDate: new Date(T0).toISOString(),
      success: 'true',
      ...changes,
    };
    const hmacSignature = createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64');
    return { NotificationRequestItem: { ...item, additionalData: { hmacSignature } } };
  };

export const PAYPAL_CERTIFICATE = 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594';

export function signPaypal(body: string, webhookId: string, at: EpochMs): Readonly<Record<string, string>> {
  const [id, time] = ['transmission-1', new Date(at).toISOString()];
  const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(Buffer.from(body))}`);
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('sha256', signed, rsa.privateKey).toString('base64'),
    'paypal-cert-url': PAYPAL_CERTIFICATE,
    'paypal-auth-algo': 'SHA256withRSA',
  };
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signPlaid(
  body: string,
  at: EpochMs,
  header: object = { alg: 'ES256', kid: KEY_ID, typ: 'JWT' },
): string {
  const claims = { iat: Math.floor(at / 1000), request_body_sha256: createHash('sha256').update(body).digest('hex') };
  const signed = `${base64url(header)}.${base64url(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

export const plaidKey = (changes: object = {}): string =>
  JSON.stringify({
    key: {
      ...ec.publicKey.export({ format: 'jwk' }),
      kid: KEY_ID,
      alg: 'ES256',
      use: 'sig',
      expired_at: null,
      ...changes,
    },
  });

export const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:tides';
export const SNS_CERTIFICATE =
  'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem';

/** A message id of SNS, which is a UUID: one with the hex digits of `id`. */
export const snsMessageId = (id: string): string =>
  `00000000-0000-4000-8000-${id.replaceAll(/[^0-9a-f]/g, '').padStart(12, '0')}`;

/** A message of SNS; `changes` are signed, `unsigned` are not. */
export function snsMessage(
  changes: Readonly<Record<string, string>> = {},
  unsigned: Readonly<Record<string, unknown>> = {},
): string {
  const fields: Record<string, string> = {
    Type: 'Notification',
    MessageId: snsMessageId('1'),
    TopicArn: TOPIC,
    Message: '{"tide":"high"}',
    Timestamp: new Date(T0).toISOString(),
    ...changes,
  };
  const text = Object.entries(fields)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('');
  const SignatureVersion = String(unsigned['SignatureVersion'] ?? '2');
  const Signature = sign(SignatureVersion === '1' ? 'sha1' : 'sha256', Buffer.from(text), rsa.privateKey).toString(
    'base64',
  );
  return JSON.stringify({ ...fields, SignatureVersion, Signature, SigningCertURL: SNS_CERTIFICATE, ...unsigned });
}

export function sslcommerzForm(
  fields: Readonly<Record<string, string>>,
  password: string,
  signed = Object.keys(fields),
): string {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const covered = signed.map((name): [string, string] => [name, fields[name] ?? '']);
  const text = [...covered, ['store_passwd', md5(password)] as const]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return new URLSearchParams({ ...fields, verify_key: signed.join(','), verify_sign: md5(text) }).toString();
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const hexKey = (digit: string): string => digit.repeat(64);

export const CODE_SENDERS = {
  twilio: {
    preset: twilio(),
    publicUrl: TWILIO_URL,
    secret: '12345678901234567890123456789012',
    otherSecret: '22345678901234567890123456789012',
    send(id, secret) {
      const fields = { MessageSid: id, MessageStatus: 'delivered', To: '+15550001111' };
      const body = new URLSearchParams(fields).toString();
      return { headers: { ...FORM_TYPE, 'x-twilio-signature': signTwilio(TWILIO_URL, secret, fields) }, body };
    },
    eventId: (id) => `${id}|delivered`,
    type: 'delivered',
  },
  adyen: {
    preset: adyen(),
    secret: hexKey('1'),
    otherSecret: hexKey('2'),
    send: (id, secret) => ({
      headers: JSON_TYPE,
      body: JSON.stringify({ live: 'false', notificationItems: [adyenItem(secret, { pspReference: id })] }),
    }),
    eventId: (id) => `AUTHORISATION|${id}`,
    type: 'AUTHORISATION',
  },
  paypal: {
    preset: paypal(),
    secret: '8PT597110X687430LKGECATA',
    otherSecret: '9PT597110X687430LKGECATA',
    send(id, secret, at) {
      const body = JSON.stringify({ id, event_type: 'PAYMENT.CAPTURE.COMPLETED' });
      return { headers: { ...JSON_TYPE, ...signPaypal(body, secret, at) }, body };
    },
    publish: publishCertificate(PAYPAL_CERTIFICATE),
    eventId: (id) => id,
    type: 'PAYMENT.CAPTURE.COMPLETED',
  },
  plaid: {
    preset: plaid(),
    secret: 'client-id-of-24-characters:secret-one',
    otherSecret: 'client-id-of-24-characters:secret-two',
    send(id, _secret, at) {
      const body = JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: id });
      return { headers: { ...JSON_TYPE, 'plaid-verification': signPlaid(body, at) }, body };
    },
    publish: ({ url, json = '' }) =>
      url === 'https://production.plaid.com/webhook_verification_key/get' &&
      json === JSON.stringify({ client_id: 'client-id-of-24-characters', secret: 'secret-one', key_id: KEY_ID })
        ? { kind: 'found', text: plaidKey() }
        : { kind: 'absent' },
    eventId: (id, at) =>
      `body_${createHash('sha256')
        .update(JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: id }))
        .digest('hex')}_${at}`,
    type: 'ITEM.ERROR',
  },
  'aws-sns': {
    preset: awsSns(),
    secret: TOPIC,
    otherSecret: `${TOPIC}-of-others`,
    send: (id, secret) => ({
      headers: { 'content-type': 'text/plain; charset=UTF-8' },
      body: snsMessage({ MessageId: snsMessageId(id), TopicArn: secret }),
    }),
    publish: publishCertificate(SNS_CERTIFICATE),
    eventId: snsMessageId,
    type: 'Notification',
  },
  'microsoft-graph': {
    preset: microsoftGraph(),
    secret: 'a client state, the first',
    otherSecret: 'a client state, the second',
    send: (id, secret) => ({
      headers: JSON_TYPE,
      body: JSON.stringify({ value: [{ id, changeType: 'updated', clientState: secret, resource: 'users/1' }] }),
    }),
    eventId: (id) => id,
    type: 'updated',
  },
  sslcommerz: {
    preset: sslcommerz(),
    secret: 'teststore@ssl',
    otherSecret: 'otherstore@ssl',
    send: (id, secret) => ({
      headers: FORM_TYPE,
      body: sslcommerzForm({ tran_id: 'T-1', val_id: id, amount: '250.00', currency: 'BDT', status: 'VALID' }, secret),
    }),
    eventId: (id) => id,
    type: 'VALID',
  },
  postmark: {
    preset: postmark(),
    secret: 'postmark:a long password',
    otherSecret: 'postmark:another password',
    send: (id, secret) => ({
      headers: { ...JSON_TYPE, authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
      body: JSON.stringify({
        RecordType: 'Delivery',
        MessageID: id,
        Recipient: 'a@example.com',
        DeliveredAt: '2026-12-01T00:00:00Z',
      }),
    }),
    eventId: (id) => `Delivery|${id}|a@example.com|2026-12-01T00:00:00Z`,
    type: 'Delivery',
  },
} satisfies Readonly<Record<string, CodeSender>>;

/** As the type of the contract, where the names do not matter. */
export const codeSenders: readonly (readonly [string, CodeSender])[] = Object.entries(CODE_SENDERS);
