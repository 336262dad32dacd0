import type { CodeSigner } from './code-signer.ts';
import { signItems } from './sign-items.ts';

export const MICROSOFT_GRAPH_SIGNER: CodeSigner = {
  rewrites: 'the clientState in the body is written anew',
  provesBody: false,
  sign: (key, { body }) => ({
    body: signItems(body, 'value', ['clientState'], () => Buffer.from(key).toString('utf8')),
    headers: {},
  }),
};
