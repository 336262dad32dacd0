import type { Scheme } from '../../providers/scheme.ts';
import { signDelivery } from '../../providers/sign.ts';
import { stampBody, wantsStamp } from '../delivery/stamp-body.ts';
import type { Signer } from './signer.ts';

/** Signs as a scheme that is data says. */
export const createSchemeSigner = (scheme: Scheme): Signer => ({
  rewrites: wantsStamp(scheme) ? 'the time and the signature in the body are written anew' : undefined,
  provesBody: scheme.kind !== 'token',
  sign(secret, delivery) {
    const body = stampBody(scheme, secret, delivery);
    return { body, headers: signDelivery(scheme, secret, { ...delivery, body }) };
  },
});
