import type { UnsignedDelivery } from '../../providers/sign.ts';
import type { SignedDelivery, Signer } from './signer.ts';

/**
 * The sending half of a scheme that is code; the preset has the verifying half. It is here, so that no
 * function of the stack carries it.
 */
export interface CodeSigner extends Omit<Signer, 'sign'> {
  /**
   * @param key The secret, decoded.
   * @throws Refusal for a body that has no place for the proof.
   */
  sign(key: Uint8Array, delivery: UnsignedDelivery): SignedDelivery;
}
