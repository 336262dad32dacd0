import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '../../../lambda/adapters/environment-credentials.ts';

describe('the credentials of a function', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'example-secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'example-token');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('are those in its environment', async () => {
    expect(await defaultProvider()()).toEqual({
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'example-secret',
      sessionToken: 'example-token',
    });
  });

  it('have no session token where there is none', async () => {
    vi.stubEnv('AWS_SESSION_TOKEN', undefined);

    expect(await defaultProvider()()).toEqual({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example-secret' });
  });

  it.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('are incomplete without %s', async (variable) => {
    vi.stubEnv(variable, '');

    await expect(defaultProvider()()).rejects.toMatchObject({ code: 'STORE_MISCONFIGURED' });
  });
});
