import { Problem } from '../problem.ts';
import type { Resource, Template } from './template.ts';

/** Where the stack is deployed, as its pseudo parameters say it. */
export interface Place {
  readonly region: string;
  readonly accountId: string;
  /** Where the functions find SQS, which is the beginning of a queue's URL. @default AWS's own */
  readonly sqsUrl?: string;
  /** Where the HTTP API answers. @default unknown */
  readonly apiUrl?: string;
}

/** An account id that is nobody's. */
export const LOCAL_ACCOUNT_ID = '000000000000';
export const LOCAL_REGION = 'us-east-1';

/** Resolves a property that is a name. */
export type NameReader = (value: unknown, where: string) => string;

/** Reads a name that refers to nothing. */
const plainName: NameReader = (value, where) => {
  if (typeof value === 'string') return value;
  throw new Problem(`${where} is a name that has to be resolved`);
};

/** What `Ref` gives for a resource here. The same names come out on every run. */
export function physicalId(
  template: Template,
  resource: Resource,
  place: Place,
  readName: NameReader = plainName,
): string {
  const name = `${template.stackName}-${resource.logicalId}`;
  switch (resource.type) {
    case 'AWS::SQS::Queue':
      return `${place.sqsUrl ?? `https://sqs.${place.region}.amazonaws.com`}/${place.accountId}/${queueName(template, resource, readName)}`;
    case 'AWS::S3::Bucket':
      return bucketName(template, resource, readName);
    case 'AWS::IAM::ManagedPolicy':
    case 'AWS::SecretsManager::Secret':
      return arnOf(template, resource, place) ?? name;
    case 'AWS::ApiGatewayV2::Api':
    case 'AWS::ApiGatewayV2::Route':
    case 'AWS::ApiGatewayV2::Integration':
      return resource.logicalId;
    case 'AWS::ApiGatewayV2::Stage':
      return String(resource.properties['StageName'] ?? '$default');
    default:
      return name;
  }
}

/**
 * What `Fn::GetAtt` gives for a resource here.
 *
 * @throws Problem for an attribute that has no meaning here.
 */
export function physicalAttribute(
  template: Template,
  resource: Resource,
  attribute: string,
  place: Place,
  readName: NameReader = plainName,
): string {
  if (resource.type === 'AWS::ApiGatewayV2::Api' && attribute === 'ApiEndpoint' && place.apiUrl !== undefined)
    return place.apiUrl;
  const arn = arnOf(template, resource, place, readName);
  if (arn !== undefined) {
    if (attribute === 'Arn' || attribute === 'Id') return arn;
    if (resource.type === 'AWS::SQS::Queue' && attribute === 'QueueName')
      return queueName(template, resource, readName);
    if (attribute === 'StreamArn') return `${arn}/stream/2000-01-01T00:00:00.000`;
  }
  throw new Problem(`local AWS has no ${attribute} of ${resource.logicalId}, a ${resource.type}`);
}

function arnOf(
  template: Template,
  resource: Resource,
  { region, accountId }: Place,
  readName: NameReader = plainName,
): string | undefined {
  const name = `${template.stackName}-${resource.logicalId}`;
  switch (resource.type) {
    case 'AWS::DynamoDB::GlobalTable':
    case 'AWS::DynamoDB::Table':
      return `arn:aws:dynamodb:${region}:${accountId}:table/${name}`;
    case 'AWS::Lambda::Function':
      return `arn:aws:lambda:${region}:${accountId}:function:${name}`;
    case 'AWS::SecretsManager::Secret':
      return `arn:aws:secretsmanager:${region}:${accountId}:secret:${name}-local1`;
    case 'AWS::IAM::ManagedPolicy':
      return `arn:aws:iam::${accountId}:policy/${name}`;
    case 'AWS::IAM::Role':
      return `arn:aws:iam::${accountId}:role/${name}`;
    case 'AWS::Logs::LogGroup':
      // CloudFormation's ARN of a log group covers its streams.
      return `arn:aws:logs:${region}:${accountId}:log-group:${name}:*`;
    case 'AWS::S3::Bucket':
      return `arn:aws:s3:::${bucketName(template, resource, readName)}`;
    case 'AWS::SQS::Queue':
      return `arn:aws:sqs:${region}:${accountId}:${queueName(template, resource, readName)}`;
    case 'AWS::Events::Rule':
      return `arn:aws:events:${region}:${accountId}:rule/${name}`;
    case 'AWS::KMS::Key':
      return `arn:aws:kms:${region}:${accountId}:key/${name}`;
    default:
      return undefined;
  }
}

/** Longest name of a queue, its suffix included.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html */
const MAX_QUEUE_NAME = 80;

/** Of a name that is too long the end is kept: CDK's logical ids are told apart there. */
function queueName({ stackName }: Template, { logicalId, properties }: Resource, readName: NameReader): string {
  const own = properties['QueueName'];
  if (own !== undefined) return readName(own, `${logicalId}.QueueName`);
  const suffix = properties['FifoQueue'] === true ? '.fifo' : '';
  return `${stackName}-${logicalId}`.slice(suffix.length - MAX_QUEUE_NAME) + suffix;
}

/** Longest name of a bucket, which is lower-case letters, digits, dots and hyphens.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const MAX_BUCKET_NAME = 63;

function bucketName({ stackName }: Template, { logicalId, properties }: Resource, readName: NameReader): string {
  const own = properties['BucketName'];
  if (own !== undefined) return readName(own, `${logicalId}.BucketName`);
  return `${stackName}-${logicalId}`.toLowerCase().slice(-MAX_BUCKET_NAME).replace(/^-+/, '');
}
