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
  /** A path is into the body; `signature` is a pair of the signature header. */
  readonly from: { readonly header: string } | { readonly json: readonly string[] } | 'signature';
  readonly unit: 's' | 'ms' | 'iso8601';
  /** Seconds into the past that are accepted, inclusive. Absent where the provider names no limit. */
  readonly pastSeconds?: number;
  /** Seconds into the future that are accepted, inclusive. Absent where the provider names no limit. */
  readonly futureSeconds?: number;
}

/** One piece of the signed bytes. `url` is the source's `publicUrl`; a path is into the body. */
export type SignedPart =
  | 'body'
  | 'timestamp'
  | 'id'
  | 'method'
  | 'url'
  | { readonly text: string }
  | { readonly json: readonly string[] };

/** What a public key is for. */
export type PublicKeyKind = 'ed25519' | 'ecdsa-p256';

/** How a configured secret becomes key bytes. */
export interface SecretFormat {
  readonly encoding: 'utf8' | 'base64' | 'hex';
  /** Removed before decoding, where present. */
  readonly stripPrefix?: string;
  /** How a secret without that prefix becomes key bytes, where that differs from `encoding`. */
  readonly unprefixed?: 'utf8';
  /**
   * Shorter keys are refused where a secret is configured. Verification does not ask for it:
   * a key that the provider signs with is the right key, however short.
   */
  readonly minKeyBytes: number;
  /** The "secret" is the sender's public key: 32 bytes for Ed25519, an SPKI in DER for ECDSA. */
  readonly publicKey?: PublicKeyKind;
}

/** What every scheme has that is not code. */
interface SchemeFields {
  /** What of a compressed body is signed. @default 'wire' */
  readonly signs?: 'wire' | 'inflated';
  readonly secret: SecretFormat;
}

/** Where the signature is: in a header (lower case), or at a path of the body, which is then no part of what is signed. */
type SignaturePlace =
  | { readonly header: string; readonly field?: undefined }
  | { readonly header?: undefined; readonly field: readonly string[] };

/** What the schemes have in common that sign bytes of the delivery. */
interface SignatureFields extends SchemeFields {
  readonly format: SignatureFormat;
  readonly encoding: 'hex' | 'base64';
  /** White space around a signature and the case of hex digits are let pass. @default false */
  readonly lenient?: boolean;
  readonly timestamp?: SignedTimestamp;
  /** Header of the message id where it is part of the signed bytes. */
  readonly idHeader?: string;
  readonly signed: readonly SignedPart[];
}

/** An HMAC of the signed bytes. */
export type HmacScheme = SignatureFields &
  SignaturePlace & { readonly kind: 'hmac'; readonly hash: 'sha1' | 'sha256' | 'sha512' };

/**
 * A plain hash of the secret and the signed bytes after it. Weaker than an HMAC: whoever sees one can
 * append bytes to what was signed, beginning with padding that is no JSON.
 */
export type SecretHashScheme = SignatureFields &
  SignaturePlace & { readonly kind: 'secret-hash'; readonly hash: 'sha256' };

/** A signature that is made with a private key, which only the sender has. */
export type PublicKeyScheme = SignatureFields &
  SignaturePlace & { readonly kind: 'public-key'; readonly secret: { readonly publicKey: PublicKeyKind } };

/** A header that holds the secret itself, and proves nothing about the rest. */
export interface TokenScheme extends SchemeFields {
  readonly kind: 'token';
  /** Lower case. */
  readonly header: string;
}

/** A scheme that signs bytes of the delivery. */
export type SignatureScheme = HmacScheme | SecretHashScheme | PublicKeyScheme;

/** A signature scheme as data; {@link verifySignature} is its one interpreter. */
export type Scheme = SignatureScheme | TokenScheme;

/** For the operator's log and metrics only; the sender is told nothing but 401. */
export type RejectionReason =
  /** The signature is absent or blank. */
  | 'missing_header'
  | 'missing_id'
  | 'missing_timestamp'
  /** A header or a field that is due once came twice. */
  | 'repeated_header'
  | 'header_too_long'
  | 'too_many_signatures'
  /** A signed field of the body is absent or blank. */
  | 'missing_field'
  /** The scheme reads the body, and it is no JSON. */
  | 'unreadable_body'
  /** Not written as the scheme writes it: not digits only, too many of them, no date and time. */
  | 'bad_timestamp'
  /** The id contains the text that separates it from the next signed part, or has not the provider's shape. */
  | 'bad_id'
  /** A signed field contains the text that separates it from the next, so the same bytes are signed for other fields. */
  | 'ambiguous_field'
  /** The header holds no signature of the scheme's version or prefix. */
  | 'no_signature_for_version'
  /** No signature is as long as this digest in this encoding: another hash, hex for base64, or cut off. */
  | 'malformed_signature'
  /** Every configured secret is empty or cannot be decoded: the configuration is wrong, not the request. */
  | 'no_usable_secret'
  /** Of JWTs and certificates: an algorithm that the provider does not sign with, such as none. */
  | 'bad_algorithm'
  /** The certificate's address is not one of the provider's. */
  | 'cert_url_not_allowed'
  /** The provider has no such key or certificate, or it is not valid now. */
  | 'key_not_found'
  /** An item of a batch lacks its signature, or there is no item. */
  | 'missing_item_signature'
  /** A field that events are named by is not among the signed ones, or not there. */
  | 'uncovered_field'
  /** Genuine or not, of a topic that is not configured. */
  | 'unexpected_topic'
  /** What is signed is the hash of another body. */
  | 'body_hash_mismatch'
  | 'signature_mismatch'
  /** Authentic, but older than the tolerance. */
  | 'timestamp_too_old'
  /** Authentic, but further in the future than the tolerance. */
  | 'timestamp_too_new';

/** `secretIndex` counts from 0 in the configured order: which secret matched, never the secret. */
export type Verification =
  | { readonly kind: 'verified'; readonly secretIndex: number }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };
