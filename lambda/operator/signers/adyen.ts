import { adyenSignature, ITEM } from '../../providers/adyen.ts';
import { valueAt } from '../../providers/read-location.ts';
import type { CodeSigner } from './code-signer.ts';
import { signItems } from './sign-items.ts';

export const ADYEN_SIGNER: CodeSigner = {
  rewrites: 'the signatures in the body are written anew',
  provesBody: true,
  sign: (key, { body }) => ({
    body: signItems(body, 'notificationItems', [ITEM, 'additionalData', 'hmacSignature'], (entry) =>
      adyenSignature(valueAt(entry, [ITEM]), key),
    ),
    headers: {},
  }),
};
