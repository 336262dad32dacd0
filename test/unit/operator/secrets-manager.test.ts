import { DescribeSecretCommand, GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createSecretsManagerClient,
  createSecretsManagerStore,
} from '../../../lambda/operator/outside/secrets-manager.ts';
import type { SigningSecretStore } from '../../../lambda/operator/ports.ts';
import { createSecretStore, type SecretStore } from '../../../local/secrets/secret-store.ts';
import { type SecretsServer, startSecretsServer } from '../../../local/secrets/secrets-server.ts';

const PLACE = { secretId: 'signing', isLocal: false, region: 'us-east-1' };
let kept: SecretStore;
let server: SecretsServer;
let client: ReturnType<typeof createSecretsManagerClient>;
let store: SigningSecretStore;
beforeEach(async () => {
  kept = createSecretStore();
  kept.create('signing', 'arn');
  server = await startSecretsServer(kept, 'KEY');
  const place = { ...PLACE, endpoint: server.url, credentials: { accessKeyId: 'KEY', secretAccessKey: 's' } };
  client = createSecretsManagerClient(place);
  store = createSecretsManagerStore(client, place);
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

/** The real client, except that one action fails. */
function failing(
  action: typeof PutSecretValueCommand | typeof DescribeSecretCommand | typeof GetSecretValueCommand,
  name: string,
) {
  const send: typeof client.send = async (...args: readonly unknown[]) => {
    if (args[0] instanceof action) throw Object.assign(new Error('said by AWS'), { name });
    return Reflect.apply(client.send, client, args);
  };
  return createSecretsManagerStore({ send }, { ...PLACE, endpoint: undefined, credentials: undefined });
}

describe('the signing secret in Secrets Manager', () => {
  it('has no value until the first write', async () => {
    const before = await store.read();
    const ending = await store.write('{"a":["b"]}', before);
    const after = await store.read();

    expect(before).toEqual({ kind: 'none' });
    expect(ending).toEqual({ kind: 'stored' });
    expect(after).toMatchObject({ kind: 'value', text: '{"a":["b"]}' });
  });

  it('tells of a write between the read and ours', async () => {
    kept.put('signing', 'first');
    const seen = await store.read();
    kept.put('signing', 'theirs');

    const ending = await store.write('ours', seen);

    expect(ending).toEqual({ kind: 'raced' });
  });

  it('tells of a first write between the read and ours', async () => {
    const seen = await store.read();
    kept.put('signing', 'theirs');

    const ending = await store.write('ours', seen);

    expect(ending).toEqual({ kind: 'raced' });
  });

  it('tells of a write just after ours', async () => {
    const seen = await store.read();
    let once = true;
    kept.onChange(() => {
      if (!once) return;
      once = false;
      kept.put('signing', 'theirs');
    });

    const ending = await store.write('ours', seen);

    expect(ending).toEqual({ kind: 'raced' });
  });

  it('that does not exist is no secret without a value', async () => {
    const absent = createSecretsManagerStore(client, {
      ...PLACE,
      secretId: 'other',
      endpoint: '',
      credentials: undefined,
    });

    await expect(absent.read()).rejects.toThrow(/^there is no secret other in this account and Region$/);
  });

  it('says which action these credentials may not call', async () => {
    const unreadable = failing(GetSecretValueCommand, 'AccessDeniedException');
    const unwritable = failing(PutSecretValueCommand, 'AccessDeniedException');

    await expect(unreadable.read()).rejects.toThrow(
      'access denied: these credentials may not call secretsmanager:GetSecretValue on signing',
    );
    await expect(unwritable.write('x', { kind: 'none' })).rejects.toThrow(/may not call secretsmanager:PutSecretValue/);
    expect(kept.find('signing')?.versions).toEqual([]);
  });

  it('was stored even when nobody could look afterwards', async () => {
    const ending = await failing(DescribeSecretCommand, 'AccessDeniedException').write('ours', { kind: 'none' });

    expect(ending).toMatchObject({ kind: 'unchecked' });
    expect(kept.find('signing')?.versions[0]?.value).toBe('ours');
  });

  it('repeats nothing that AWS says', async () => {
    await expect(failing(GetSecretValueCommand, 'InternalServiceError').read()).rejects.toThrow(
      /^Secrets Manager could not do GetSecretValue: InternalServiceError$/,
    );
  });
});
