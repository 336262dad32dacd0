import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { EventsQueues } from './events-queues.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import type { SigningSecret } from './signing-secret.ts';
import type { Storage } from './storage.ts';

/**
 * What DynamoDB does with a customer's key in the name of its caller. AWS's page has `ReEncrypt*` and
 * `GenerateDataKey*`; these are the actions behind the stars.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
const KEY_ACTIONS = [
  'kms:Encrypt',
  'kms:Decrypt',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:DescribeKey',
];

/**
 * What Lambda does with a queue in the name of the function that it calls with its messages.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const READ_QUEUE = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/**
 * Everything `receive` may do, but for its own logs. Each line names one table, never its indexes. A transaction needs
 * no action of its own: DynamoDB asks for the action of each item in it.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function receiveGrants(
  storage: Storage,
  secret: SigningSecret,
  queues: EventsQueues,
): readonly PolicyStatement[] {
  return [
    ...processGrants(storage),
    allow(['secretsmanager:GetSecretValue'], secret.arn),
    // An event that is to be tried again, and one that is given up; their bodies where they are too large.
    allow(['sqs:SendMessage'], queues.events.queueArn),
    allow(['sqs:SendMessage'], queues.deadLetters.queueArn),
    allow(['s3:PutObject'], queues.bodies.arnForObjects('*')),
    ...onKey(storage),
  ];
}

/**
 * Everything `work` may do, but for its own logs. A message that is to wait is hidden for longer, or sent anew.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
export function workGrants(storage: Storage, queues: EventsQueues): readonly PolicyStatement[] {
  return [
    ...processGrants(storage),
    allow([...READ_QUEUE, 'sqs:ChangeMessageVisibility', 'sqs:SendMessage'], queues.events.queueArn),
    allow(['sqs:SendMessage'], queues.deadLetters.queueArn),
    allow(['s3:GetObject'], queues.bodies.arnForObjects('*')),
    // Without it a body that is gone looks to S3's caller like one that it may not read.
    allow(['s3:ListBucket'], queues.bodies.bucketArn),
    ...onKey(storage),
  ];
}

/** Everything `consume` may do, but for its own logs. */
export function consumeGrants(storage: Storage, queues: OutboxQueues): readonly PolicyStatement[] {
  return [
    ...inboxGrants(storage),
    allow([...READ_QUEUE, 'sqs:ChangeMessageVisibility'], queues.outbox.queueArn),
    allow(['sqs:SendMessage'], queues.deadLetters.queueArn),
    ...onKey(storage),
  ];
}

/**
 * Everything `deliver` may do, but for its own logs. It takes messages of the outbox queue, puts one a target into the
 * deliveries queue, and hides there what it could not deliver. It touches no table.
 */
export function deliverGrants(
  outbox: OutboxQueues,
  queues: DeliveryQueues,
  secret: SigningSecret,
): readonly PolicyStatement[] {
  return [
    allow(READ_QUEUE, outbox.outbox.queueArn),
    allow([...READ_QUEUE, 'sqs:ChangeMessageVisibility', 'sqs:SendMessage'], queues.deliveries.queueArn),
    allow(['secretsmanager:GetSecretValue'], secret.arn),
  ];
}

/**
 * Everything `dispatch` may do, but for its own logs. Lambda reads the stream and reports a batch it gave up with the
 * function's role. A batch of messages needs no action of its own: SQS asks for `SendMessage`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html
 */
export function dispatchGrants(storage: Storage, queues: OutboxQueues): readonly PolicyStatement[] {
  return [
    onTable(storage.outboxStreamArn, ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']),
    // A row that SQS has goes; one that it has not is put off.
    onTable(storage.outbox.tableArn, ['DeleteItem', 'UpdateItem']),
    allow(['sqs:SendMessage'], queues.outbox.queueArn),
    allow(['sqs:SendMessage'], queues.streamFailures.queueArn),
    ...onKey(storage),
  ];
}

/** Everything `sweep` may do, but for its own logs. */
export function sweepGrants(storage: Storage, queues: OutboxQueues): readonly PolicyStatement[] {
  return [
    onTable(storage.outbox.tableArn, ['Scan', 'DeleteItem', 'UpdateItem']),
    allow(['sqs:SendMessage'], queues.outbox.queueArn),
    ...onKey(storage),
  ];
}

/** What it takes to apply an event once, with its order and its messages. */
const processGrants = (storage: Storage): readonly PolicyStatement[] => [
  ...inboxGrants(storage),
  onTable(storage.outbox.tableArn, ['PutItem']),
  onTable(storage.sequences.tableArn, ['UpdateItem']),
];

/** Claim, join (reads), commit and release; and what the author does in the commit. */
const inboxGrants = (storage: Storage): readonly PolicyStatement[] => [
  onTable(storage.inbox.tableArn, ['PutItem', 'UpdateItem', 'GetItem']),
  ...storage.userTables.map(({ table, actions }) => onTable(table.tableArn, actions)),
];

/** The use of the customer's key through DynamoDB, if the tables have one. */
export const onKey = ({ key }: Storage): readonly PolicyStatement[] =>
  key === undefined
    ? []
    : [
        allow(KEY_ACTIONS, key.keyArn, {
          StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}` },
        }),
      ];

const onTable = (arn: string, actions: readonly string[]): PolicyStatement =>
  allow(
    actions.map((action) => `dynamodb:${action}`),
    arn,
  );

export const allow = (
  actions: readonly string[],
  resource: string,
  conditions: Record<string, Record<string, string>> = {},
): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [resource], conditions });
