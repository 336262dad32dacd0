import type { Cleanup } from './cleanup.ts';
import { isAnswering } from './dynamodb/dynamodb-local.ts';
import { startRestartable } from './dynamodb/restartable.ts';
import type { Credentials, FunctionEndpoints } from './local-aws.ts';
import { Problem } from './problem.ts';
import type { Guardian } from './processes/guardian.ts';
import { type ObjectStore, openObjectStore } from './s3/object-store.ts';
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
  /** Past the gateway. */
  readonly endpoints: FunctionEndpoints;
  readonly secrets: SecretStore;
  readonly sqs: SqsServer;
  readonly s3: ObjectStore;
  /** Ends DynamoDB and starts it again. @throws Error when it would come back empty, or is not ours. */
  restartDynamoDb(): Promise<void>;
  /** Resolves when a service ends by itself. */
  readonly failure: Promise<Problem>;
}

/**
 * Starts the stand-ins of Secrets Manager, SQS, S3 and DynamoDB.
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
  const s3 = openObjectStore(sqs.url, place, credentials);
  cleanup.add(() => s3.close());

  const { region } = place;
  const failure = Promise.withResolvers<Problem>();
  let restartDynamoDb = async (): Promise<void> => {
    throw new Error('a DynamoDB Local that was not started here cannot be restarted');
  };
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
    s3,
    restartDynamoDb,
    endpoints: { dynamodb, sqs: sqs.url, s3: s3.url, secretsmanager: secretsServer.url },
    failure: failure.promise,
  };

  async function startDynamoDb(): Promise<string> {
    const local = await startRestartable({ dataDirectory, credentials, region, guardian });
    cleanup.add(() => local.stop());
    void local.ended.then(() => failure.resolve(new Problem('DynamoDB Local has ended: start again')));
    restartDynamoDb = local.restart;
    return local.url;
  }
}
