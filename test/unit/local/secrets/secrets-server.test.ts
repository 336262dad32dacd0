import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretStore } from '../../../../local/secrets/secret-store.ts';
import { type SecretsServer, startSecretsServer } from '../../../../local/secrets/secrets-server.ts';

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:signing-local1';

let server: SecretsServer;
let client: SecretsManagerClient;

const clientWith = (accessKeyId: string) =>
  new SecretsManagerClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
  });

beforeEach(async () => {
  const store = createSecretStore();
  store.create('signing', ARN);
  server = await startSecretsServer(store, 'LOCAL1');
  client = clientWith('LOCAL1');
});

afterEach(async () => {
  client.destroy();
  await server.close();
});

describe('Secrets Manager here, asked by the SDK', () => {
  it('returns the value that was put last, by name and by ARN', async () => {
    await client.send(new PutSecretValueCommand({ SecretId: 'signing', SecretString: '{"stripe":["a"]}' }));

    const byName = await client.send(new GetSecretValueCommand({ SecretId: 'signing' }));
    const byArn = await client.send(new GetSecretValueCommand({ SecretId: ARN }));

    expect(byName).toMatchObject({
      ARN,
      Name: 'signing',
      SecretString: '{"stripe":["a"]}',
      VersionStages: ['AWSCURRENT'],
    });
    expect(byArn.VersionId).toBe(byName.VersionId);
  });

  it('keeps the value before as AWSPREVIOUS', async () => {
    await client.send(new PutSecretValueCommand({ SecretId: 'signing', SecretString: 'first' }));
    await client.send(new PutSecretValueCommand({ SecretId: 'signing', SecretString: 'second' }));

    const previous = await client.send(new GetSecretValueCommand({ SecretId: 'signing', VersionStage: 'AWSPREVIOUS' }));
    const described = await client.send(new DescribeSecretCommand({ SecretId: 'signing' }));

    expect(previous.SecretString).toBe('first');
    expect(Object.values(described.VersionIdsToStages ?? {})).toEqual([['AWSCURRENT'], ['AWSPREVIOUS']]);
  });

  it('says that a secret without a value has none, and that an unknown one does not exist', async () => {
    const withoutValue = client.send(new GetSecretValueCommand({ SecretId: 'signing' }));
    const unknown = client.send(new GetSecretValueCommand({ SecretId: 'other' }));

    await expect(withoutValue).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
    });
    await expect(unknown).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret.",
    });
  });

  it('refuses who does not have the access key', async () => {
    const stranger = clientWith('LOCAL2');

    const asked = stranger.send(new GetSecretValueCommand({ SecretId: 'signing' }));

    await expect(asked).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    stranger.destroy();
  });
});
