import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { aStack, type StackOptions } from './a-stack.ts';
import { asList, grantsOf, nameOf, type Policy, type Statement } from './policy-statements.ts';
import { resourcesOf, resourcesOfType } from './template.ts';

/** Every statement of every policy in the template that grants something to a role, or to one of them. */
const statementsOf = (template: Template, role = /^/): readonly Statement[] =>
  Object.entries(resourcesOf(template)).flatMap(([id, { Type, Properties }]) => {
    if (Type === 'AWS::IAM::Role' && role.test(id))
      return (Properties.Policies ?? []).flatMap(({ PolicyDocument }: Policy) => PolicyDocument.Statement);
    if (Type === 'AWS::IAM::Policy' && Properties.Roles.some(({ Ref }: { readonly Ref: string }) => role.test(Ref)))
      return Properties.PolicyDocument.Statement;
    return [];
  });

const grantsTo = (role: RegExp, options: StackOptions = {}): readonly string[] =>
  grantsOf(statementsOf(aStack(options).template, role)).toSorted();

describe('what receive may do', () => {
  it('is this, and nothing else', () => {
    expect(grantsTo(/^ReceiveRole/)).toEqual([
      'dynamodb:GetItem StorageInbox618003E1.Arn',
      'dynamodb:PutItem StorageInbox618003E1.Arn',
      'dynamodb:PutItem StorageOutbox68CB6060.Arn',
      'dynamodb:UpdateItem StorageInbox618003E1.Arn',
      'dynamodb:UpdateItem StorageSequences3C9FFA4E.Arn',
      'dynamodb:UpdateItem StorageTablesaccounts8A29DA60.Arn',
      'logs:CreateLogStream ReceiveLogsE4C37026.Arn',
      'logs:PutLogEvents ReceiveLogsE4C37026.Arn',
      's3:PutObject RetriesQueuesBodiesBucket83F77531.Arn/*',
      'secretsmanager:GetSecretValue SigningSecret808474B8',
      'sqs:SendMessage RetriesQueuesDeadLetters4CC570D1.Arn',
      'sqs:SendMessage RetriesQueuesQueue8764B8F6.Arn',
    ]);
  });

  it('with a table are the actions its author declared, on the table and not on an index', () => {
    const granted = grantsTo(/^ReceiveRole/, {
      tables: { orders: { import: 'legacy-orders', actions: ['Query', 'PutItem'] } },
    });

    expect(granted.filter((grant) => grant.includes('legacy-orders'))).toEqual([
      'dynamodb:PutItem arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/legacy-orders',
      'dynamodb:Query arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/legacy-orders',
    ]);
  });

  it('with a table whose author declared none are the four writes, one read and a query', () => {
    const granted = grantsTo(/^ReceiveRole/, { tables: { orders: { import: 'legacy-orders' } } });

    expect(granted.filter((grant) => grant.includes('legacy-orders')).map((grant) => grant.split(' ')[0])).toEqual([
      'dynamodb:ConditionCheckItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ]);
  });

  it('with a customer key is only what DynamoDB asks for in its name', () => {
    const customerKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0d990263-018e-4e65-a703-eff731de951e';
    const { template } = aStack({ context: { customerKeyArn } });
    const [statement, ...others] = statementsOf(template, /^ReceiveRole/).filter(
      ({ Resource }) => Resource === customerKeyArn,
    );

    expect(others).toEqual([]);
    expect(asList(statement?.Action ?? [])).toSatisfy((actions: string[]) =>
      actions.every((action) => /^kms:[A-Za-z]+$/.test(action)),
    );
    expect(JSON.stringify(statement?.Condition)).toContain('kms:ViaService');
  });
});

describe('what work may do', () => {
  it('is this, and nothing else: not even the signing secrets', () => {
    expect(grantsTo(/^RetriesWorkRole/)).toEqual([
      'dynamodb:GetItem StorageInbox618003E1.Arn',
      'dynamodb:PutItem StorageInbox618003E1.Arn',
      'dynamodb:PutItem StorageOutbox68CB6060.Arn',
      'dynamodb:UpdateItem StorageInbox618003E1.Arn',
      'dynamodb:UpdateItem StorageSequences3C9FFA4E.Arn',
      'dynamodb:UpdateItem StorageTablesaccounts8A29DA60.Arn',
      'logs:CreateLogStream RetriesWorkLogsD3253DC6.Arn',
      'logs:PutLogEvents RetriesWorkLogsD3253DC6.Arn',
      's3:GetObject RetriesQueuesBodiesBucket83F77531.Arn/*',
      's3:ListBucket RetriesQueuesBodiesBucket83F77531.Arn',
      'sqs:ChangeMessageVisibility RetriesQueuesQueue8764B8F6.Arn',
      'sqs:DeleteMessage RetriesQueuesQueue8764B8F6.Arn',
      'sqs:GetQueueAttributes RetriesQueuesQueue8764B8F6.Arn',
      'sqs:ReceiveMessage RetriesQueuesQueue8764B8F6.Arn',
      'sqs:SendMessage RetriesQueuesDeadLetters4CC570D1.Arn',
      'sqs:SendMessage RetriesQueuesQueue8764B8F6.Arn',
    ]);
  });
});

describe('what consume may do', () => {
  it('is this, and nothing else: it neither emits nor orders', () => {
    expect(grantsTo(/^ConsumeRole/)).toEqual([
      'dynamodb:GetItem StorageInbox618003E1.Arn',
      'dynamodb:PutItem StorageInbox618003E1.Arn',
      'dynamodb:UpdateItem StorageInbox618003E1.Arn',
      'dynamodb:UpdateItem StorageTablesaccounts8A29DA60.Arn',
      'logs:CreateLogStream ConsumeLogs832CCE9E.Arn',
      'logs:PutLogEvents ConsumeLogs832CCE9E.Arn',
      'sqs:ChangeMessageVisibility OutboxQueuesQueue1E760BC0.Arn',
      'sqs:DeleteMessage OutboxQueuesQueue1E760BC0.Arn',
      'sqs:GetQueueAttributes OutboxQueuesQueue1E760BC0.Arn',
      'sqs:ReceiveMessage OutboxQueuesQueue1E760BC0.Arn',
      'sqs:SendMessage OutboxQueuesDeadLettersE08397B8.Arn',
    ]);
  });
});

describe('what dispatch may do', () => {
  it('is this, and nothing else: neither the inbox nor a table of yours', () => {
    expect(grantsTo(/^OutboxDispatchRole/)).toEqual([
      'dynamodb:DeleteItem StorageOutbox68CB6060.Arn',
      'dynamodb:DescribeStream StorageOutbox68CB6060.StreamArn',
      'dynamodb:GetRecords StorageOutbox68CB6060.StreamArn',
      'dynamodb:GetShardIterator StorageOutbox68CB6060.StreamArn',
      'dynamodb:ListStreams StorageOutbox68CB6060.StreamArn',
      'dynamodb:UpdateItem StorageOutbox68CB6060.Arn',
      'logs:CreateLogStream OutboxDispatchLogs6EA29754.Arn',
      'logs:PutLogEvents OutboxDispatchLogs6EA29754.Arn',
      'sqs:SendMessage OutboxQueuesQueue1E760BC0.Arn',
      'sqs:SendMessage OutboxQueuesStreamFailures9A48B5AA.Arn',
    ]);
  });
});

describe('what sweep may do', () => {
  it('is this, and nothing else: neither the inbox nor a table of yours', () => {
    expect(grantsTo(/^OutboxSweepRole/)).toEqual([
      'dynamodb:DeleteItem StorageOutbox68CB6060.Arn',
      'dynamodb:Scan StorageOutbox68CB6060.Arn',
      'dynamodb:UpdateItem StorageOutbox68CB6060.Arn',
      'logs:CreateLogStream OutboxSweepLogs116F4DD0.Arn',
      'logs:PutLogEvents OutboxSweepLogs116F4DD0.Arn',
      'sqs:SendMessage OutboxQueuesQueue1E760BC0.Arn',
    ]);
  });
});

describe('a function that is traced', () => {
  it('may send traces beside, and nothing else', () => {
    const traced = grantsTo(/^OutboxSweepRole/, { context: { tracing: true } });

    expect(traced.filter((grant) => !grantsTo(/^OutboxSweepRole/).includes(grant))).toEqual([
      'xray:PutTelemetryRecords *',
      'xray:PutTraceSegments *',
    ]);
  });
});

describe('every role', () => {
  it('may use the key of a customer through DynamoDB alone: each function reads or writes a table', () => {
    const customerKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0d990263-018e-4e65-a703-eff731de951e';
    const { template } = aStack({ context: { customerKeyArn } });

    for (const id of Object.keys(resourcesOfType(template, 'AWS::IAM::Role'))) {
      const onKey = statementsOf(template, new RegExp(`^${id}$`)).filter(({ Resource }) => Resource === customerKeyArn);

      expect(
        onKey.map(({ Condition }) => JSON.stringify(Condition)),
        id,
      ).toEqual([expect.stringContaining('"kms:ViaService":{"Fn::Join":["",["dynamodb.')]);
    }
  });
});

/** The bodies, which are named after what is in them, and nobody knows that beforehand. */
const OBJECTS = 'RetriesQueuesBodiesBucket83F77531.Arn/*';

describe('no role (CDK-08)', () => {
  const customerKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0d990263-018e-4e65-a703-eff731de951e';

  it.each([{}, { stage: 'prod' }, { customerKeyArn }])(
    'has a star in an action or a resource, but for the objects of the one bucket, with %j',
    (context) => {
      const statements = statementsOf(aStack({ context }).template);
      const granted = statements.flatMap(({ Action, Resource }) => [
        ...asList(Action),
        ...asList(Resource).map(nameOf),
      ]);

      expect(granted.length).toBeGreaterThan(0);
      expect(granted.filter((text) => text.includes('*') && text !== OBJECTS)).toEqual([]);
    },
  );

  it('has a managed policy, which grants what its author, not we, thought of', () => {
    for (const { Properties } of Object.values(resourcesOfType(aStack().template, 'AWS::IAM::Role'))) {
      expect(Properties.ManagedPolicyArns).toBeUndefined();
    }
  });

  it('is shared by two functions', () => {
    const roles = Object.values(resourcesOfType(aStack().template, 'AWS::Lambda::Function')).map(({ Properties }) =>
      nameOf(Properties.Role),
    );

    expect(new Set(roles).size).toBe(roles.length);
  });
});
