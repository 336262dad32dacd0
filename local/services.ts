import type { Cleanup } from './cleanup.ts';
import { isAnswering, startDynamoDbLocal } from './dynamodb/dynamodb-local.ts';
import type { Credentials, Endpoints } from './local-aws.ts';
import { Problem } from './problem.ts';
import type { Guardian } from './processes/guardian.ts';
import { generateCredentials, openDataFolder, saveDataFolder } from './secrets/data-folder.ts';
import { createSecretStore, type SecretStore } from './secrets/secret-store.ts';
import { startSecretsServer } from './secrets/secrets-server.ts';
import { type SqsServer, startSqsServer } from './sqs/sqs-server.ts';
import type { Place } from './template/physical-names.ts';

export interface ServicesOptions {
  readonly place: Place;
  /** Keeps tables and secrets here; in memory when left out. */
  readonly dataDirectory: string | undefined;
  /** A DynamoDB Local that runs already. */
  readonly dynamodbEndpoint: string | undefined;
  readonly guardian: Guardian;
  readonly cleanup: Cleanup;
}

/** The services that functions call. */
export interface Services {
  readonly credentials: Credentials;
  readonly endpoints: Endpoints;
  readonly secrets: SecretStore;
  readonly sqs: SqsServer;
  /** Resolves when a service ends by itself. */
  readonly failure: Promise<Problem>;
}

/**
 * Starts the stand-ins of Secrets Manager, SQS and DynamoDB.
 *
 * @throws Problem when one cannot start.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { place, dataDirectory, guardian, cleanup } = options;
  const kept = dataDirectory === undefined ? undefined : openDataFolder(dataDirectory);
  const credentials = kept?.credentials ?? generateCredentials();

  const secrets = createSecretStore(kept?.secrets);
  if (dataDirectory !== undefined) {
    secrets.onChange(() => saveDataFolder(dataDirectory, { credentials, secrets: secrets.all() }));
  }
  const secretsServer = await startSecretsServer(secrets, credentials.accessKeyId);
  cleanup.add(() => secretsServer.close());
  const sqs = await startSqsServer(place, credentials);
  cleanup.add(() => sqs.close());

  const { region } = place;
  const failure = Promise.withResolvers<Problem>();
  const dynamodb = options.dynamodbEndpoint ?? (await startDynamoDb());
  if (!(await isAnswering(dynamodb, { credentials, region }))) {
    throw new Problem(
      `no DynamoDB answers at ${dynamodb}: start it, or leave out --dynamodb-endpoint and ONCEHOOK_DYNAMODB_ENDPOINT`,
    );
  }
  return {
    credentials,
    secrets,
    sqs,
    endpoints: { dynamodb, sqs: sqs.url, secretsmanager: secretsServer.url },
    failure: failure.promise,
  };

  async function startDynamoDb(): Promise<string> {
    const local = await startDynamoDbLocal({ dataDirectory, credentials, region, guardian });
    cleanup.add(() => local.stop());
    void local.ended.then(() => failure.resolve(new Problem('DynamoDB Local has ended: start again')));
    return local.url;
  }
}
