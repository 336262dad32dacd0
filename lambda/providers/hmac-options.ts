import type { LocationText } from './location.ts';
import type { BodyFormat } from './preset.ts';

/** How a sender without a preset of its own signs and names its deliveries. */
export interface HmacOptions {
  /** The header with the signature. Header names may be written in any case. */
  readonly header: string;
  /** @default 'sha256' */
  readonly hash?: 'sha1' | 'sha256' | 'sha512';
  /** @default 'hex' */
  readonly encoding?: 'hex' | 'base64';
  /** Fixed text before the signature, such as `sha256=`. */
  readonly prefix?: string;
  /**
   * What is signed: text with `{body}`, `{timestamp}` and `{id}` in it, for example
   * `{timestamp}.{body}`.
   *
   * @default '{body}'
   */
  readonly signed?: string;
  /** The header with the signed timestamp; goes with `{timestamp}`. 300 s in both directions are let pass. */
  readonly timestampHeader?: string;
  /** @default 's' */
  readonly timestampUnit?: 's' | 'ms';
  /** The header with the signed id; goes with `{id}`. */
  readonly idHeader?: string;
  /** How the secret becomes key bytes. @default 'utf8' */
  readonly secretEncoding?: 'utf8' | 'base64' | 'hex';
  /** White space around the signature and the case of hex digits are let pass. @default true */
  readonly lenient?: boolean;
  /** What of a compressed body is signed: the bytes on the wire, or what they inflate to. @default 'wire' */
  readonly signs?: 'wire' | 'inflated';

  /** @default 'json' */
  readonly body?: BodyFormat;
  /**
   * Where the event id is; of several, the first that holds one. Prefer the body: a
   * header is signed only where it is `idHeader`. `body-hash` is for senders without ids: equal bodies
   * are then one event, however often it happened.
   */
  readonly id: LocationText | 'body-hash' | readonly LocationText[];
  /**
   * Where the event type is, most specific first. A list inside the list is joined with dots, and passed
   * over where a part of it is absent.
   */
  readonly type: LocationText | readonly (LocationText | readonly LocationText[])[];
  /** Where the event's own time is. Without it, an event is as old as its first copy. */
  readonly eventTime?: { readonly from: LocationText; readonly unit: 's' | 'ms' | 'iso8601' };
  /** The array of events, `$` for the body itself, where one delivery carries several; the paths above start in each. */
  readonly batch?: '$' | `$.${string}`;
  /**
   * More headers that handlers may see, beside those named above, `content-type` and `user-agent`. None
   * that authenticates: the signature's, `authorization`, `cookie` and their like are refused.
   */
  readonly headers?: readonly string[];

  /** @default 200 */
  readonly successStatus?: 200 | 204;
  /** How long the sender waits for an answer, where it says so. */
  readonly deadlineSeconds?: number;
  /** Hours over which the sender may send one event again. @default 72 */
  readonly retryHorizonHours?: number;
  /** Whether the sender sends again by itself when it sees no success. No guess is safe here, so there is no default. */
  readonly redelivers: boolean;
}

/** Every option's name; adding one to {@link HmacOptions} without it does not compile. */
export const HMAC_OPTIONS = Object.keys({
  header: true,
  hash: true,
  encoding: true,
  prefix: true,
  signed: true,
  timestampHeader: true,
  timestampUnit: true,
  idHeader: true,
  secretEncoding: true,
  lenient: true,
  signs: true,
  body: true,
  id: true,
  type: true,
  eventTime: true,
  batch: true,
  headers: true,
  successStatus: true,
  deadlineSeconds: true,
  retryHorizonHours: true,
  redelivers: true,
} satisfies Record<keyof HmacOptions, true>);
