/**
 * Loaded with `--import` before AWS's runtime client (`aws-lambda-ric`), whose native half is
 * not compiled here: answers its request for `./rapid-client.node` with a client in TypeScript.
 */
import { registerHooks } from 'node:module';

const NATIVE_CLIENT = './rapid-client.node';
const OUR_CLIENT = new URL('runtime-client.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== NATIVE_CLIENT) return nextResolve(specifier, context);
    return { url: OUR_CLIENT, format: 'module-typescript', shortCircuit: true };
  },
});
