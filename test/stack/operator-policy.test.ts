import { describe, expect, it } from 'vitest';
import { OPERATOR_ACTIONS } from '../../lambda/contract.ts';
import { aStack, DELIVERING, EVERYTHING, type StackOptions } from './a-stack.ts';
import { grantsOf, type Policy } from './policy-statements.ts';
import { onlyResource } from './template.ts';

const policyOf = (options: StackOptions = {}): Policy =>
  onlyResource(aStack(options).template, 'AWS::IAM::ManagedPolicy').Properties;
const operatorGrants = (options: StackOptions = {}): readonly string[] =>
  grantsOf(policyOf(options).PolicyDocument.Statement).toSorted();

describe('what an operator may do', () => {
  it('is this, and nothing else: neither a table of yours nor what would delete anything but a dead letter', () => {
    expect(operatorGrants()).toEqual([
      'cloudformation:DescribeStacks arn:AWS::Partition:cloudformation:AWS::Region:AWS::AccountId:stack/AWS::StackName/*',
      'cloudwatch:GetMetricData *',
      'dynamodb:DescribeContinuousBackups StorageInbox618003E1.Arn',
      'dynamodb:DescribeContinuousBackups StorageOutbox68CB6060.Arn',
      'dynamodb:DescribeContinuousBackups StorageSequences3C9FFA4E.Arn',
      'dynamodb:DescribeTable StorageInbox618003E1.Arn',
      'dynamodb:DescribeTable StorageOutbox68CB6060.Arn',
      'dynamodb:DescribeTable StorageSequences3C9FFA4E.Arn',
      'dynamodb:DescribeTimeToLive StorageInbox618003E1.Arn',
      'dynamodb:GetItem StorageInbox618003E1.Arn',
      'dynamodb:GetItem StorageOutbox68CB6060.Arn',
      'dynamodb:Query StorageInbox618003E1.Arn/index/attention',
      'dynamodb:Scan StorageInbox618003E1.Arn',
      'dynamodb:Scan StorageOutbox68CB6060.Arn',
      'dynamodb:UpdateItem StorageInbox618003E1.Arn',
      'dynamodb:UpdateItem StorageOutbox68CB6060.Arn',
      'lambda:GetFunctionConfiguration RetriesWorkFunction8897AE50.Arn',
      'lambda:ListEventSourceMappings *',
      's3:GetObject RetriesQueuesBodiesBucket83F77531.Arn/*',
      's3:ListBucket RetriesQueuesBodiesBucket83F77531.Arn',
      'secretsmanager:DescribeSecret SigningSecret808474B8',
      'secretsmanager:GetSecretValue SigningSecret808474B8',
      'secretsmanager:PutSecretValue SigningSecret808474B8',
      'sqs:ChangeMessageVisibility OutboxQueuesDeadLettersE08397B8.Arn',
      'sqs:ChangeMessageVisibility RetriesQueuesDeadLetters4CC570D1.Arn',
      'sqs:DeleteMessage OutboxQueuesDeadLettersE08397B8.Arn',
      'sqs:DeleteMessage RetriesQueuesDeadLetters4CC570D1.Arn',
      'sqs:GetQueueAttributes OutboxQueuesDeadLettersE08397B8.Arn',
      'sqs:GetQueueAttributes RetriesQueuesDeadLetters4CC570D1.Arn',
      'sqs:ReceiveMessage OutboxQueuesDeadLettersE08397B8.Arn',
      'sqs:ReceiveMessage RetriesQueuesDeadLetters4CC570D1.Arn',
      'sqs:SendMessage OutboxQueuesQueue1E760BC0.Arn',
      'sqs:SendMessage RetriesQueuesQueue8764B8F6.Arn',
    ]);
  });

  it('is with targets their queue and its DLQ too', () => {
    const without = new Set(operatorGrants({ consumer: false }));
    const more = operatorGrants(DELIVERING).filter((grant) => !without.has(grant));

    expect(more.map((grant) => grant.split(' ')[0])).toEqual([
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
      'sqs:SendMessage',
    ]);
    expect(more.every((grant) => / Deliveries/.test(grant))).toBe(true);
  });

  it('is every action that the contract has', () => {
    const granted = new Set(operatorGrants().map((grant) => grant.split(' ')[0]));

    expect(granted).toEqual(new Set(Object.values(OPERATOR_ACTIONS).flat()));
  });

  it("is with a customer key its use too, without which the tables' rows cannot be read", () => {
    const onKey = operatorGrants(EVERYTHING).filter((grant) => grant.endsWith(EVERYTHING.context.customerKeyArn));

    expect(onKey).toContain(`kms:Decrypt ${EVERYTHING.context.customerKeyArn}`);
    expect(onKey.every((grant) => grant.startsWith('kms:'))).toBe(true);
  });

  it('is given to nobody by the stack', () => {
    const { Roles, Users, Groups } = onlyResource(aStack().template, 'AWS::IAM::ManagedPolicy').Properties;

    expect([Roles, Users, Groups]).toEqual([undefined, undefined, undefined]);
  });

  it('fits a managed policy, of 6,144 characters at most, in a stack of the longest name', () => {
    // A generated name is at most as long as this, in an ARN with Region, account and the rest.
    const arn = 'x'.repeat(160);
    const all = { ...DELIVERING, context: { ...EVERYTHING.context, ...DELIVERING.context } };
    const text = JSON.stringify(policyOf(all).PolicyDocument, (_key, value) =>
      typeof value === 'object' && value !== null && ('Ref' in value || 'Fn::GetAtt' in value) ? arn : value,
    );

    expect(text.length).toBeLessThan(6144);
  });
});
