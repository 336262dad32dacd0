import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
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
  const statements = [
    // Claim, join (reads), commit and release.
    onTable(storage.inbox.tableArn, ['PutItem', 'UpdateItem', 'GetItem']),
    onTable(storage.outbox.tableArn, ['PutItem']),
    onTable(storage.sequences.tableArn, ['UpdateItem']),
    ...storage.userTables.map(({ table, actions }) => onTable(table.tableArn, actions)),
    allow(['secretsmanager:GetSecretValue'], secret.arn),
  ];
  if (storage.key !== undefined) {
    statements.push(
      allow(KEY_ACTIONS, storage.key.keyArn, {
        StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}` },
      }),
    );
  }
  return statements;
}

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
