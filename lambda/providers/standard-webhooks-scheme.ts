import type { HmacScheme, SecretFormat } from './scheme.ts';

/**
 * What Standard Webhooks 1.0.0 and its relatives sign and how they write it; they differ in the names of
 * their headers.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const standardWebhooksScheme = (names: 'webhook' | 'svix', secret: SecretFormat): HmacScheme => ({
  kind: 'hmac',
  hash: 'sha256',
  header: `${names}-signature`,
  format: { kind: 'versioned-list', version: 'v1' },
  encoding: 'base64',
  timestamp: { from: { header: `${names}-timestamp` }, unit: 's', pastSeconds: 300, futureSeconds: 300 },
  idHeader: `${names}-id`,
  signed: ['id', { text: '.' }, 'timestamp', { text: '.' }, 'body'],
  secret,
});

/** `whsec_` and 24 to 64 random bytes in base64; the prefix may be left out. */
export const WHSEC: SecretFormat = { encoding: 'base64', stripPrefix: 'whsec_', minKeyBytes: 24 };
