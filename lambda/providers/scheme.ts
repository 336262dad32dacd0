/** How the signature values are found in the signature header. */
export type SignatureFormat =
  /** The whole value is one signature; a comma means that the header came twice. */
  | { readonly kind: 'bare' }
  /** One signature behind a fixed text, such as `sha256=`. */
  | { readonly kind: 'prefixed'; readonly prefix: string }
  /** `key=value` pairs; `signatureKey` may repeat, `timestampKey` may not. */
  | {
      readonly kind: 'pairs';
      readonly separator: ',' | ';';
      readonly signatureKey: string;
      readonly timestampKey: string;
    }
  /** A list separated by spaces of `version,signature`; other versions are passed over. */
  | { readonly kind: 'versioned-list'; readonly version: string };

/** Where the signed timestamp is, how it is written and how far it may be from now. */
export interface SignedTimestamp {
  readonly from: { readonly header: string } | 'signature';
  readonly unit: 's' | 'ms';
  /** Seconds into the past that are accepted, inclusive. */
  readonly pastSeconds: number;
  /** Seconds into the future that are accepted, inclusive. */
  readonly futureSeconds: number;
}

/** One piece of the signed bytes. */
export type SignedPart = 'body' | 'timestamp' | 'id' | { readonly text: string };

/** How a configured secret becomes key bytes. */
export interface SecretFormat {
  readonly encoding: 'utf8' | 'base64' | 'hex';
  /** Removed before decoding, where present. */
  readonly stripPrefix?: string;
  /**
   * Shorter keys are refused where a secret is configured. Verification does not ask for it:
   * a key that the provider signs with is the right key, however short.
   */
  readonly minKeyBytes: number;
}

/** A signature scheme as data; {@link verifySignature} is its one interpreter. */
export interface Scheme {
  readonly kind: 'hmac';
  readonly hash: 'sha1' | 'sha256' | 'sha512';
  /** Lower case. */
  readonly header: string;
  readonly format: SignatureFormat;
  readonly encoding: 'hex' | 'base64';
  /** White space around a signature and the case of hex digits are let pass. @default false */
  readonly lenient?: boolean;
  /** Present exactly where `timestamp` is among the signed parts. */
  readonly timestamp?: SignedTimestamp;
  /** Header of the message id where it is part of the signed bytes. */
  readonly idHeader?: string;
  readonly signed: readonly SignedPart[];
  /** What of a compressed body is signed. @default 'wire' */
  readonly signs?: 'wire' | 'inflated';
  readonly secret: SecretFormat;
}

/** For the operator's log and metrics only; the sender is told nothing but 401. */
export type RejectionReason =
  /** The signature header is absent or blank. */
  | 'missing_header'
  | 'missing_id'
  | 'missing_timestamp'
  /** A header or a field that is due once came twice. */
  | 'repeated_header'
  | 'header_too_long'
  | 'too_many_signatures'
  /** Not digits only, or too many of them. */
  | 'bad_timestamp'
  /** The id contains the text that separates it from the next signed part. */
  | 'bad_id'
  /** The header holds no signature of the scheme's version or prefix. */
  | 'no_signature_for_version'
  /** No signature is as long as this digest in this encoding: another hash, hex for base64, or cut off. */
  | 'malformed_signature'
  /** Every configured secret is empty or cannot be decoded: the configuration is wrong, not the request. */
  | 'no_usable_secret'
  | 'signature_mismatch'
  /** Authentic, but older than the tolerance. */
  | 'timestamp_too_old'
  /** Authentic, but further in the future than the tolerance. */
  | 'timestamp_too_new';

/** `secretIndex` counts from 0 in the configured order: which secret matched, never the secret. */
export type Verification =
  | { readonly kind: 'verified'; readonly secretIndex: number }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };
