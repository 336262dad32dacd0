import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../../local/dynamodb/dynamodb-local.ts';
import { startGuardian } from '../../local/processes/guardian.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

let stop: () => Promise<void> = async () => {};

/** One DynamoDB Local for all files of the project; each test has a database of its own by its access key. */
export async function setup(project: TestProject): Promise<void> {
  const guardian = startGuardian();
  const dynamodb = await startDynamoDbLocal({
    dataDirectory: undefined,
    credentials: { accessKeyId: 'setup', secretAccessKey: 'setup' },
    region: 'us-east-1',
    guardian,
  });
  stop = async () => {
    await dynamodb.stop();
    await guardian.stop();
  };
  project.provide('dynamodbEndpoint', dynamodb.url);
}

export const teardown = (): Promise<void> => stop();
