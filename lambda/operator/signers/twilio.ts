import { createHash, createHmac } from 'node:crypto';
import { looksLikeJson } from '../../providers/form.ts';
import { signedParameters } from '../../providers/twilio.ts';
import { Refusal } from '../refusal.ts';
import type { CodeSigner } from './code-signer.ts';

/** With the account's auth token, by SHA-1; the parameters of a form, or the hash of JSON in the query. */
export const TWILIO_SIGNER: CodeSigner = {
  rewrites: undefined,
  provesBody: true,
  sign(token, { body, url: publicUrl = '' }) {
    const [base = '', ownQuery = ''] = publicUrl.split('?');
    const isJson = looksLikeJson(Buffer.from(body).toString('utf8'));
    const bodyHash = `bodySHA256=${createHash('sha256').update(body).digest('hex')}`;
    const query = [ownQuery, isJson ? bodyHash : ''].filter((part) => part !== '').join('&');
    const parameters = isJson ? '' : signedParameters(body);
    if (parameters === undefined) throw new Refusal('the body cannot be signed: it has too many parameters');

    const url = query === '' ? base : `${base}?${query}`;
    const signature = createHmac('sha1', token).update(url).update(parameters).digest('base64');
    return { body, headers: { 'x-twilio-signature': signature }, query };
  },
};
