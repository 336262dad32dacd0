import { ArnFormat, Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from './known-settings.ts';

const CLOUDWATCH = new ServicePrincipal('cloudwatch.amazonaws.com');

export interface AlarmTopicProps {
  readonly stage: Stage;
  /** Who gets a mail for each alarm, once the subscription is confirmed. */
  readonly email: string;
}

/** Where the alarms of the stack tell that they ring. */
export class AlarmTopic extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, props: AlarmTopicProps) {
    super(scope, id);
    // A key of our own, because CloudWatch may not use the one that AWS manages for SNS.
    // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
    const key = new Key(this, 'Key', {
      description: 'Oncehook: messages of the alarm topic',
      enableKeyRotation: true,
      // Nothing that is kept is encrypted with it.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [CLOUDWATCH],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        // This key. Whose alarms may publish is said by the topic.
        resources: ['*'],
      }),
    );

    const topic = new Topic(this, 'Topic', {
      displayName: `Oncehook ${props.stage}`,
      masterKey: key,
      enforceSSL: true,
    });
    // A topic with a policy has no default one, by which its account may publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [CLOUDWATCH],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: { 'aws:SourceArn': alarmsOfThisStack(this) },
        },
      }),
    );
    topic.addSubscription(new EmailSubscription(props.email));
    this.topic = topic;
  }
}

/** The names of its alarms begin with the stack's. */
const alarmsOfThisStack = (scope: Construct): string =>
  Stack.of(scope).formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: `${Aws.STACK_NAME}-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
