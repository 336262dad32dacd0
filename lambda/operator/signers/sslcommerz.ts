import { looksLikeJson } from '../../providers/form.ts';
import { sslcommerzSignature } from '../../providers/sslcommerz.ts';
import { Refusal } from '../refusal.ts';
import type { CodeSigner } from './code-signer.ts';

/** Signs every field that is there. */
export const SSLCOMMERZ_SIGNER: CodeSigner = {
  rewrites: 'the signature in the body is written anew',
  provesBody: true,
  sign(password, { body }) {
    const text = Buffer.from(body).toString('utf8');
    const form = new URLSearchParams(text);
    for (const name of PROOF) form.delete(name);
    const fields = new Map(form);
    if (looksLikeJson(text) || fields.size !== form.size || !fields.has('tran_id') || !fields.has('status')) {
      throw new Refusal('the body cannot be signed: it must be a form with tran_id and status, and no field twice');
    }
    form.set('verify_sign', sslcommerzSignature(fields, password));
    form.set('verify_key', [...fields.keys()].sort().join(','));
    return { body: Buffer.from(form.toString()), headers: {} };
  },
};

const PROOF = ['verify_key', 'verify_sign', 'verify_sign_sha2'];
