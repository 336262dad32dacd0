import { Aws, Validations } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { INBOX, OPERATOR_ACTIONS } from '../lambda/contract.ts';
import { acknowledgeObjects } from './bodies.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { EventsQueues } from './events-queues.ts';
import { allow, onKey } from './grants.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import type { SigningSecret } from './signing-secret.ts';
import type { Storage } from './storage.ts';

export interface OperatorPolicyProps {
  readonly storage: Storage;
  readonly secret: SigningSecret;
  readonly eventsQueues: EventsQueues;
  readonly outboxQueues: OutboxQueues;
  /** Absent in a stack without the deliverer. */
  readonly deliveryQueues: DeliveryQueues | undefined;
  readonly work: IFunction;
}

/**
 * What a person, or a job, needs to run `oncehook --stack`. It is attached to nobody: whom you trust with it is yours to
 * say, and it is no small thing, because it reads and replaces the signing secrets.
 */
export class OperatorPolicy extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: OperatorPolicyProps) {
    super(scope, id);
    const { storage, secret, eventsQueues, outboxQueues, deliveryQueues, work } = props;
    const { inbox } = storage;
    // With a star where its id would be: who asks by its name asks for a stack of that name.
    const stack = `arn:${Aws.PARTITION}:cloudformation:${Aws.REGION}:${Aws.ACCOUNT_ID}:stack/${Aws.STACK_NAME}/*`;
    const can = OPERATOR_ACTIONS;
    const policy = new ManagedPolicy(this, 'Policy', {
      description: 'Oncehook: what the command line of an operator needs',
      statements: [
        allow(can.stack, stack),
        allow(can.inbox, inbox.tableArn),
        allow(can.attentionIndex, `${inbox.tableArn}/index/${INBOX.attentionIndex}`),
        allow(can.outbox, storage.outbox.tableArn),
        allow(can.sequences, storage.sequences.tableArn),
        ...[
          eventsQueues.events,
          outboxQueues.outbox,
          ...(deliveryQueues === undefined ? [] : [deliveryQueues.deliveries]),
        ].map(({ queueArn }) => allow(can.queues, queueArn)),
        ...[eventsQueues, outboxQueues, ...(deliveryQueues === undefined ? [] : [deliveryQueues])].map(
          ({ deadLetters }) => allow(can.deadLetters, deadLetters.queueArn),
        ),
        allow(can.bodies, eventsQueues.bodies.arnForObjects('*')),
        allow(can.bodiesBucket, eventsQueues.bodies.bucketArn),
        allow(can.signingSecret, secret.arn),
        allow(can.workFunction, work.functionArn),
        allow(can.account, '*'),
        ...onKey(storage),
      ],
    });
    this.arn = policy.managedPolicyArn;

    acknowledgeObjects(policy, eventsQueues.bodies);
    Validations.of(policy).acknowledge(
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'CloudWatch and Lambda know no resource for the reading of metrics and the list of mappings.',
      },
      {
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/<AWS::StackName>/*]',
        reason:
          'The star is the id of the one stack of this name. IAM is asked for it when the stack is asked for by name.',
      },
    );
  }
}
