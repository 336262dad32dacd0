import { Problem } from '../problem.ts';
import type { Resource, Template } from './template.ts';

/** Types that local AWS builds or goes by. */
const RUN = new Set([
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
  'AWS::Lambda::Function',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Permission',
  'AWS::Events::Rule',
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Stage',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Integration',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
]);

/**
 * Types whose absence changes nothing that a request can notice: who else may use a queue or a bucket, what
 * is kept of the logs, and what people look at.
 */
const KNOWINGLY_IGNORED = new Set([
  // Local AWS has an address of its own.
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
]);

/**
 * Makes sure that every resource is one that local AWS builds or knowingly leaves out, so that
 * a stack never runs here with a part silently missing.
 *
 * @throws Problem naming every resource that is neither.
 */
export function checkResourceTypes(template: Template): void {
  const problems = [...template.resources.values()].flatMap((resource) => {
    if (KNOWINGLY_IGNORED.has(resource.type)) return [];
    if (!RUN.has(resource.type)) return [`${resource.logicalId} is a ${resource.type}`];
    return resource.condition === undefined ? [] : [`${resource.logicalId} has the condition ${resource.condition}`];
  });
  if (problems.length > 0) {
    throw new Problem(
      `local AWS cannot run this stack: ${problems.join('; ')}. Add it to local/template/resource-types.ts`,
    );
  }
}

/** Every resource of one of the types, in the template's order. */
export const resourcesOf = (template: Template, ...types: readonly string[]): readonly Resource[] =>
  [...template.resources.values()].filter(({ type }) => types.includes(type));
