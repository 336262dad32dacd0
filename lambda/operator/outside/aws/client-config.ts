import type { Place } from '../../deployment/place.ts';
import { Refusal } from '../../refusal.ts';

/** A person waits for it, so silence ends in seconds. */
const TIMEOUT_MS = 10_000;

/** Services, as IAM calls them. */
export type ServiceName = 'cloudformation' | 'cloudwatch' | 'dynamodb' | 'lambda' | 's3' | 'secretsmanager' | 'sqs';

const TITLES: Readonly<Record<ServiceName, string>> = {
  cloudformation: 'CloudFormation',
  cloudwatch: 'CloudWatch',
  dynamodb: 'DynamoDB',
  lambda: 'Lambda',
  s3: 'S3',
  secretsmanager: 'Secrets Manager',
  sqs: 'SQS',
};

export const titleOf = (service: ServiceName): string => TITLES[service];

/**
 * How a client reaches its service. In AWS it looks where every AWS tool looks: environment, profile, role, and
 * `AWS_ENDPOINT_URL_…` too.
 *
 * @throws Refusal when the local AWS that runs has no such service.
 */
export function clientConfig(place: Place, service: ServiceName) {
  const timeouts = {
    maxAttempts: 3,
    requestHandler: { connectionTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true },
  };
  if (place.kind === 'stack') return { ...timeouts, ...(place.region === undefined ? {} : { region: place.region }) };
  const { endpoints, region, credentials } = place.state;
  // Among the endpoints CloudWatch has the name of its host.
  const endpoint = endpoints[service === 'cloudwatch' ? 'monitoring' : service];
  if (endpoint === undefined) throw new Refusal(`the local AWS that runs has no ${TITLES[service]}`);
  // A copy, because the client adds a field to those it is given.
  return { ...timeouts, endpoint, region, credentials: { ...credentials } };
}
