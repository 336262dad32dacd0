import type { UnsignedDelivery } from '../../providers/sign.ts';

/** A delivery as its provider would send it. */
export interface SignedDelivery {
  readonly body: Uint8Array;
  /** Lower-case names; only what authenticates. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in place of the target's own, without the question mark; absent where the query is not signed. */
  readonly query?: string;
}

/** Signs with a source's secret, as the provider of the source does. */
export interface Signer {
  /** For a person: what in a body is written anew when it is signed. `undefined` where all its bytes stay as they are. */
  readonly rewrites: string | undefined;
  /** Whether a change of the body breaks the proof. A secret that is sent as it is proves nothing about the rest. */
  readonly provesBody: boolean;
  /**
   * @throws Refusal for a body that has no place for the proof.
   * @throws OncehookError `CONFIG_INVALID` for a secret that is empty or cannot be decoded.
   */
  sign(secret: string, delivery: UnsignedDelivery): SignedDelivery;
}
