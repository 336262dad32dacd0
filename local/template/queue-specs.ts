import { Problem } from '../problem.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import type { Template } from './template.ts';

/** A queue of the stack, ready to be created. */
export interface QueueSpec {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** As the functions are given it. */
  readonly url: string;
  /** As SQS's own API takes them. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Properties that SQS has an attribute of the same name for, whose meaning is the same here. */
const ATTRIBUTES = [
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'DelaySeconds',
  'FifoQueue',
  'FifoThroughputLimit',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedriveAllowPolicy',
  'RedrivePolicy',
  'VisibilityTimeout',
];

/** Properties that are read elsewhere, or whose absence no caller can notice here. */
const WITHOUT_EFFECT = ['QueueName', 'KmsDataKeyReusePeriodSeconds', 'KmsMasterKeyId', 'SqsManagedSseEnabled', 'Tags'];

/**
 * The queues of the stack.
 *
 * @throws Problem for a property that is unknown here.
 */
export function readQueueSpecs(template: Template, resolver: Resolver): readonly QueueSpec[] {
  return resourcesOf(template, 'AWS::SQS::Queue').map((resource) => {
    const { logicalId, properties } = resource;
    const unknown = Object.keys(properties).find(
      (name) => !ATTRIBUTES.includes(name) && !WITHOUT_EFFECT.includes(name),
    );
    if (unknown !== undefined)
      throw new Problem(`${logicalId} has ${unknown}, which local AWS does not know of a queue`);
    const read = (property: string): unknown => resolver.resolve(properties[property], `${logicalId}.${property}`);
    const attributes = ATTRIBUTES.flatMap((name) => {
      const value = read(name);
      if (value === undefined) return [];
      return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const];
    });
    return {
      logicalId,
      name: resolver.text({ 'Fn::GetAtt': [logicalId, 'QueueName'] }, logicalId),
      arn: resolver.text({ 'Fn::GetAtt': [logicalId, 'Arn'] }, logicalId),
      url: resolver.text({ Ref: logicalId }, logicalId),
      attributes: Object.fromEntries(attributes),
    };
  });
}
