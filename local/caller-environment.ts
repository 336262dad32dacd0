import type { Credentials, Endpoints } from './local-aws.ts';

/** Who calls the services here, and where they find them. */
export interface LocalCaller {
  readonly region: string;
  readonly endpoints: Endpoints;
  readonly credentials: Credentials & { readonly sessionToken?: string };
}

/**
 * Environment variables by which an unmodified AWS tool or SDK calls the services here as it would call AWS.
 *
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export const callerEnvironment = ({
  region,
  endpoints,
  credentials,
}: LocalCaller): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL_CLOUDFORMATION: endpoints.cloudformation,
  AWS_ENDPOINT_URL_CLOUDWATCH: endpoints.monitoring,
  AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: endpoints.logs,
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
  AWS_ENDPOINT_URL_S3: endpoints.s3,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsmanager,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  ...(credentials.sessionToken !== undefined && { AWS_SESSION_TOKEN: credentials.sessionToken }),
});
