import { days } from '../core/time.ts';
import type { MetaEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

export interface MetaOptions {
  /**
   * SHA-256 in hex of the verify token that is typed in at Meta. It lets Meta register this endpoint;
   * choose a token that nobody can guess, because its hash is in the code. Without it a GET is answered
   * 405.
   */
  readonly verifyTokenSha256?: string;
}

const MESSAGES = ['value', 'messages'];
const STATUSES = ['value', 'statuses'];

/**
 * Meta: WhatsApp, and other Graph API subscriptions that send `entry[].changes[]`. Messenger and Instagram
 * messaging, which send `entry[].messaging[]`, are not covered.
 *
 * - Signature: `sha256=<hex>` in `x-hub-signature-256`, HMAC-SHA256 over the body with the app secret as
 *   text (documented). Bodies have escapes such as `\/` that another writer of JSON would lose
 *   (second-hand). No timestamp is signed, so only the inbox stops a replay.
 * - One request carries up to 1,000 changes, and how they are grouped is not promised (documented), so each
 *   message and each status is an event of its own: `entry[].changes[]` with that one alone in its array. A
 *   message is named by its id, a status by message id and status; any other change by the hash of the
 *   delivery and its place.
 * - Type: `field` with the message's type or the status, such as `messages.text` and `messages.delivered`;
 *   then `field` alone.
 * - Statuses arrive out of order (second-hand); their `timestamp` has whole seconds.
 * - Neither deadline nor order is promised. Retries thin out over 36 h (documented for the Graph API), over
 *   7 days for WhatsApp (second-hand); the longer counts.
 * - Handshake: a GET with `hub.mode=subscribe`, `hub.verify_token` and `hub.challenge`, not signed, is
 *   answered with the challenge as text where the token's hash is the one of the option (documented); with
 *   another token 401, never 403.
 *
 * @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started
 */
export function meta(options: MetaOptions = {}): ProviderPreset & KnownTypes<MetaEventType> {
  refuseProblems('meta', problemsOf(options));
  const { verifyTokenSha256 } = options;
  return freezePreset({
    name: 'meta',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-hub-signature-256',
      format: { kind: 'prefixed', prefix: 'sha256=' },
      encoding: 'hex',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: 16 },
    },
    body: 'json',
    batch: ['entry', '*', 'changes'],
    explode: [MESSAGES, STATUSES],
    id: [
      { json: [...MESSAGES, '0', 'id'] },
      [{ json: [...STATUSES, '0', 'id'] }, { json: [...STATUSES, '0', 'status'] }],
    ],
    type: [
      [{ json: ['field'] }, { json: [...MESSAGES, '0', 'type'] }],
      [{ json: ['field'] }, { json: [...STATUSES, '0', 'status'] }],
      [{ json: ['field'] }],
    ],
    eventTime: {
      from: [{ json: [...MESSAGES, '0', 'timestamp'] }, { json: [...STATUSES, '0', 'timestamp'] }],
      unit: 's',
    },
    orderHint: { from: { json: [...STATUSES, '0', 'timestamp'] }, unit: 's' },
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: undefined,
    retryHorizon: days(7),
    redelivers: true,
    ...(verifyTokenSha256 === undefined
      ? {}
      : {
          handshake: [
            {
              kind: 'echo-query',
              method: 'GET',
              parameter: 'hub.challenge',
              where: { 'hub.mode': 'subscribe' },
              token: { parameter: 'hub.verify_token', sha256: verifyTokenSha256.toLowerCase() },
            } as const,
          ],
        }),
  });
}

function problemsOf(options: MetaOptions): readonly string[] {
  const shape = findUnknownOptions(options, ['verifyTokenSha256']);
  if (shape.length > 0) return shape;
  const { verifyTokenSha256: hash } = options;
  const isHash = hash === undefined || (typeof hash === 'string' && /^[0-9a-f]{64}$/i.test(hash));
  return isHash ? [] : ['needs verifyTokenSha256 to be 64 hex digits: the hash of the token, never the token itself'];
}
