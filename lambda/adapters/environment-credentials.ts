import { OncehookError } from '../core/errors.ts';

/** The credentials an SDK client signs with. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Stands in for the SDK's provider chain in the bundles, under the chain's own name. Lambda puts a
 * function's credentials in its environment, and there is nowhere else to look: without the chain a
 * bundle is more than a third smaller and quicker to start.
 *
 * @returns a provider that rejects with OncehookError `STORE_MISCONFIGURED` when there are none. A client
 * passes that on as it is: the inbox store throws it, and the secret source has no secret to give.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export const defaultProvider = () => async (): Promise<Credentials> => {
  const accessKeyId = process.env['AWS_ACCESS_KEY_ID'] ?? '';
  const secretAccessKey = process.env['AWS_SECRET_ACCESS_KEY'] ?? '';
  const sessionToken = process.env['AWS_SESSION_TOKEN'] ?? '';
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new OncehookError('STORE_MISCONFIGURED', 'there are no credentials in the environment', { retryable: false });
  }

  return { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) };
};
