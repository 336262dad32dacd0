import type { SessionCredentials } from '../gateway/callers.ts';
import type { FunctionSpec } from './function-spec.ts';

/** What the function's surroundings are here, beyond its own settings. */
export interface Surroundings {
  readonly region: string;
  /** Base URLs by service. */
  readonly endpoints: Readonly<Record<string, string>>;
}

/**
 * The environment of an instance as Lambda makes it. Of this process it inherits `PATH` alone.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function buildFunctionEnvironment(
  spec: FunctionSpec,
  around: Surroundings,
  instance: { readonly runtimeApi: string; readonly logStream: string; readonly credentials: SessionCredentials },
): Readonly<Record<string, string>> {
  const endpoints = Object.entries(around.endpoints).map(([service, url]) => [ENDPOINT_VARIABLES[service] ?? '', url]);
  return {
    ...spec.environment,
    ...Object.fromEntries(endpoints.filter(([variable]) => variable !== '')),
    ...(spec.logLevel === undefined ? {} : { AWS_LAMBDA_LOG_LEVEL: spec.logLevel }),
    AWS_REGION: around.region,
    AWS_DEFAULT_REGION: around.region,
    AWS_ACCESS_KEY_ID: instance.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: instance.credentials.secretAccessKey,
    AWS_SESSION_TOKEN: instance.credentials.sessionToken,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: spec.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: spec.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: instance.logStream,
    AWS_LAMBDA_LOG_FORMAT: spec.logFormat,
    AWS_LAMBDA_RUNTIME_API: instance.runtimeApi,
    _HANDLER: spec.handler,
    LAMBDA_TASK_ROOT: spec.codeDirectory,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    PATH: process.env['PATH'] ?? '',
  };
}

const ENDPOINT_VARIABLES: Readonly<Record<string, string>> = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  s3: 'AWS_ENDPOINT_URL_S3',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  sqs: 'AWS_ENDPOINT_URL_SQS',
};
