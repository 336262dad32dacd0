import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
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
 * Everything `receive` may do, but for its own logs. Each line names one table, never its indexes. A transaction needs
 * no action of its own: DynamoDB asks for the action of each item in it.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function receiveGrants(storage: Storage, secret: SigningSecret): readonly PolicyStatement[] {
  return [
    // Claim, join (reads), commit and release.
    onTable(storage.inbox.tableArn, ['PutItem', 'UpdateItem', 'GetItem']),
    onTable(storage.outbox.tableArn, ['PutItem']),
    onTable(storage.sequences.tableArn, ['UpdateItem']),
    ...storage.userTables.map(({ table, actions }) => onTable(table.tableArn, actions)),
    allow(['secretsmanager:GetSecretValue'], secret.arn),
    ...onKey(storage),
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

/** The use of the customer's key through DynamoDB, if the tables have one. */
const onKey = ({ key }: Storage): readonly PolicyStatement[] =>
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

const allow = (
  actions: readonly string[],
  resource: string,
  conditions: Record<string, Record<string, string>> = {},
): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [resource], conditions });
