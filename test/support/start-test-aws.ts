import { inject } from 'vitest';
import type { LocalAws } from '../../local/local-aws.ts';
import { type LocalAwsOptions, startLocalAws } from '../../local/start-local-aws.ts';

/**
 * A local AWS on the DynamoDB Local that all files share, which saves each the start of its own. Its
 * tables are its own all the same: a database is known by the access key.
 */
export const startTestAws = (options: LocalAwsOptions = {}): Promise<LocalAws> =>
  startLocalAws({ stateFile: false, dynamodbEndpoint: inject('dynamodbEndpoint'), ...options });
