import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SigningSecretStore, StoredValue, WriteEnding } from '../ports.ts';
import { oneLine, Refusal } from '../refusal.ts';
import type { SecretPlace } from '../secret/choose-secret-place.ts';

/** A person waits for it, so silence ends in seconds. */
const TIMEOUT_MS = 10_000;

/** The client for a place; without credentials of its own it looks where every AWS tool looks. */
export function createSecretsManagerClient({ endpoint, region, credentials }: SecretPlace): SecretsManagerClient {
  return new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    // A copy, because the client adds a field to those it is given.
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
  });
}

/**
 * The signing secrets in Secrets Manager. Writing needs `GetSecretValue`, `PutSecretValue` and
 * `DescribeSecret`.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
 */
export function createSecretsManagerStore(
  client: Pick<SecretsManagerClient, 'send'>,
  { secretId, isLocal }: SecretPlace,
): SigningSecretStore {
  const refusal = (action: string, error: unknown) => new Refusal(explain(action, error, secretId, isLocal));

  async function describeStages(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { VersionIdsToStages: stages } = await client.send(new DescribeSecretCommand({ SecretId: secretId }));
    return stages ?? {};
  }

  async function read(): Promise<StoredValue> {
    try {
      const answer = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      return { kind: 'value', versionId: answer.VersionId ?? '', text: answer.SecretString };
    } catch (error) {
      if (nameOf(error) !== 'ResourceNotFoundException') throw refusal('GetSecretValue', error);
    }
    // The same error says "no such secret" and "no value yet".
    try {
      await describeStages();
      return { kind: 'none' };
    } catch (error) {
      throw refusal('DescribeSecret', error);
    }
  }

  async function write(text: string, seen: StoredValue): Promise<WriteEnding> {
    // The token becomes the version's id, so the SDK's own retry writes nothing twice.
    const versionId = randomUUID();
    try {
      await client.send(
        new PutSecretValueCommand({ SecretId: secretId, SecretString: text, ClientRequestToken: versionId }),
      );
    } catch (error) {
      throw refusal('PutSecretValue', error);
    }
    try {
      const stages = await describeStages();
      const labelled = (stage: string) => Object.keys(stages).find((id) => stages[id]?.includes(stage));
      // Each write moves AWSPREVIOUS to the version it replaced: another than the one we read is another's.
      const before = seen.kind === 'none' ? undefined : seen.versionId;
      const alone = labelled('AWSCURRENT') === versionId && labelled('AWSPREVIOUS') === before;
      return { kind: alone ? 'stored' : 'raced' };
    } catch (error) {
      return { kind: 'unchecked', reason: explain('DescribeSecret', error, secretId, isLocal) };
    }
  }

  return { read, write };
}

/** SDK errors by name, because two copies of the SDK make `instanceof` false. */
function explain(action: string, error: unknown, secretId: string, isLocal: boolean): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isLocal && /^(ECONNREFUSED|ECONNRESET|UnrecognizedClientException)$/.test(code || nameOf(error))) {
    return 'local AWS does not answer any more: start it again with npm start';
  }
  switch (nameOf(error)) {
    case 'ResourceNotFoundException':
      return `there is no secret ${secretId} in this account and Region`;
    case 'AccessDeniedException':
      return `access denied: these credentials may not call secretsmanager:${action} on ${secretId}`;
    case 'CredentialsProviderError':
    case 'UnrecognizedClientException':
    case 'ExpiredTokenException':
    case 'InvalidSignatureException':
      return 'no usable AWS credentials: sign in, or set AWS_PROFILE, as for the aws command';
    case 'TimeoutError':
      return 'Secrets Manager did not answer in time';
    default:
      if (oneLine(error) === 'Region is missing') return 'no AWS Region: add --region, or set AWS_REGION';
      return `Secrets Manager could not do ${action}: ${code || nameOf(error)}`;
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'no answer');
