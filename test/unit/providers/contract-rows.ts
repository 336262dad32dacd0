import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  bitbucket,
  discord,
  dropbox,
  github,
  gitlab,
  hmac,
  hubspot,
  intercom,
  lemonSqueezy,
  linear,
  mailgun,
  meta,
  mux,
  paddle,
  razorpay,
  sendgrid,
  shopify,
  slack,
  square,
  standardWebhooks,
  standardWebhooksV1a,
  stripe,
  svix,
  twitch,
  zendesk,
  zoom,
} from '../../../lambda/oncehook.ts';
import type { ProviderPreset } from '../../../lambda/providers/preset.ts';
import { tideGauge } from './tide-gauge.ts';

/** What the contract has to know of a preset. A new preset is one more row. */
export interface ContractRow {
  readonly factory: (options: never) => ProviderPreset;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly secret: string;
  /** As good as `secret`, but not the one that signs. */
  readonly otherSecret: string;
  /** The key text of a secret with so many key bytes; absent where keys have one length. */
  readonly secretOfBytes?: (bytes: number) => string;
  /** Where the provider signs with a private key: what it does with the bytes. */
  readonly signWith?: (message: Uint8Array) => Buffer;
  /** Signed payloads on file, if there are any. */
  readonly payloads?: readonly string[];
  /** What of the body the scheme proves, where that is not all of it. */
  readonly proves?: 'fields' | 'nothing';
}

const HMAC = { header: 'X-Shop-Signature', prefix: 'sha256=', id: '$.id', type: '$.type', redelivers: true } as const;
const TIMED = { timestampHeader: 'X-Shop-Time', idHeader: 'X-Shop-Id', signed: 'v0:{id}:{timestamp}:{body}' } as const;

const asText = (bytes: number): string => 'k'.repeat(bytes);
const asBase64 = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

const TEXT = {
  secret: 'contract secret, the first',
  otherSecret: 'contract secret, the second',
  secretOfBytes: asText,
};
const WHSEC = { secret: asBase64(32), otherSecret: asBase64(33), secretOfBytes: asBase64 };

const spki = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

function ed25519(write: (key: Buffer) => string): Pick<ContractRow, 'secret' | 'otherSecret' | 'signWith'> {
  const [first, second] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const publicKey = ({ publicKey: key }: { readonly publicKey: KeyObject }) => write(spki(key).subarray(-32));
  return {
    secret: publicKey(first),
    otherSecret: publicKey(second),
    signWith: (message) => sign(undefined, message, first.privateKey),
  };
}

function ecdsa(): Pick<ContractRow, 'secret' | 'otherSecret' | 'signWith'> {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const [first, second] = [pair(), pair()];
  return {
    secret: spki(first.publicKey).toString('base64'),
    otherSecret: spki(second.publicKey).toString('base64'),
    signWith: (message) => sign('sha256', message, first.privateKey),
  };
}

export const CONTRACT_ROWS: Readonly<Record<string, ContractRow>> = {
  stripe: {
    factory: stripe,
    secret: 'whsec_contract_secret_one',
    otherSecret: 'whsec_contract_secret_two',
    secretOfBytes: asText,
    payloads: [
      'stripe-invoice-paid.json',
      'stripe-customer-subscription-updated.json',
      'stripe-customer-subscription-updated-second-event.json',
    ],
  },
  github: {
    factory: github,
    ...TEXT,
    payloads: ['github-push.json', 'github-issues-opened.json', 'github-ping.json'],
  },
  'standard webhooks': {
    factory: standardWebhooks,
    ...WHSEC,
    payloads: ['standard-webhooks-order-shipped.json'],
  },
  'standard webhooks with text secrets': {
    factory: standardWebhooks,
    options: { secretEncoding: 'utf8' },
    secret: 'whsec_this is text and no base64',
    otherSecret: 'this is text and no base64, too',
    secretOfBytes: asText,
  },
  'standard webhooks with text where the prefix is missing': {
    factory: standardWebhooks,
    options: { unprefixedSecret: 'utf8' },
    secret: 'this is text and no base64, again',
    otherSecret: asBase64(32),
    secretOfBytes: asText,
  },
  'standard webhooks, asymmetric': {
    factory: standardWebhooksV1a,
    ...ed25519((key) => `whpk_${key.toString('base64')}`),
  },
  svix: { factory: svix, ...WHSEC },
  'svix with text where the prefix is missing': {
    factory: svix,
    options: { unprefixedSecret: 'utf8' },
    ...TEXT,
  },
  shopify: { factory: shopify, ...TEXT, payloads: ['shopify-orders-paid.json'] },
  'shopify events': { factory: shopify, options: { family: 'events' }, ...TEXT },
  slack: {
    factory: slack,
    ...TEXT,
    payloads: ['slack-event-callback-message.json', 'slack-url-verification.json', 'slack-app-rate-limited.json'],
  },
  gitlab: { factory: gitlab, ...WHSEC, payloads: ['gitlab-push.json'] },
  'gitlab with a secret token': { factory: gitlab, options: { proof: 'secret-token' }, ...TEXT, proves: 'nothing' },
  bitbucket: { factory: bitbucket, ...TEXT },
  square: { factory: square, ...TEXT, payloads: ['square-payment-updated.json'] },
  paddle: { factory: paddle, ...TEXT, payloads: ['paddle-subscription-updated.json'] },
  linear: { factory: linear, ...TEXT, payloads: ['linear-issue-update.json'] },
  'hubspot v3': { factory: hubspot, ...TEXT, payloads: ['hubspot-batch.json'] },
  'hubspot v2': { factory: hubspot, options: { signature: 'v2' }, ...TEXT },
  'hubspot v1': { factory: hubspot, options: { signature: 'v1' }, ...TEXT },
  zendesk: { factory: zendesk, ...TEXT },
  'lemon squeezy': { factory: lemonSqueezy, ...TEXT, payloads: ['lemonsqueezy-order-created.json'] },
  razorpay: { factory: razorpay, ...TEXT, payloads: ['razorpay-payment-captured.json'] },
  intercom: { factory: intercom, ...TEXT },
  zoom: { factory: zoom, ...TEXT, payloads: ['zoom-meeting-ended.json', 'zoom-url-validation.json'] },
  meta: { factory: meta, ...TEXT, payloads: ['meta-whatsapp-message.json', 'meta-whatsapp-status.json'] },
  mailgun: { factory: mailgun, ...TEXT, payloads: ['mailgun-delivered.json'], proves: 'fields' },
  discord: {
    factory: discord,
    ...ed25519((key) => key.toString('hex')),
    payloads: ['discord-webhook-event.json', 'discord-interaction-ping.json'],
  },
  sendgrid: { factory: sendgrid, ...ecdsa(), payloads: ['sendgrid-batch.json'] },
  twitch: { factory: twitch, ...TEXT },
  dropbox: { factory: dropbox, ...TEXT },
  mux: { factory: mux, ...TEXT },
  'the example of docs/adding-a-provider.md': { factory: tideGauge, ...TEXT },
  'hmac of the body': { factory: hmac, options: HMAC, ...TEXT },
  'hmac with time and id, base64 of SHA-512': {
    factory: hmac,
    options: { ...HMAC, ...TIMED, encoding: 'base64', hash: 'sha512', timestampUnit: 'ms', lenient: false },
    ...TEXT,
  },
};

/** The row's preset, with more options or other ones. */
export const presetOf = ({ factory, options }: ContractRow, more: object = {}): ProviderPreset =>
  Reflect.apply(factory, undefined, [{ ...options, ...more }]);
