import type { CodeSigner } from './code-signer.ts';

export const POSTMARK_SIGNER: CodeSigner = {
  rewrites: undefined,
  provesBody: false,
  sign: (key, { body }) => ({
    body,
    headers: { authorization: `Basic ${Buffer.from(key).toString('base64')}` },
  }),
};
