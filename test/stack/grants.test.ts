import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { aStack, type StackOptions } from './a-stack.ts';
import { resourcesOf, resourcesOfType } from './template.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: Arn | readonly Arn[];
  readonly Condition?: unknown;
}

interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}

/** An ARN in a template: text, a reference, or a mixture. */
type Arn =
  | string
  | { readonly Ref: string }
  | { readonly 'Fn::GetAtt': readonly string[] }
  | { readonly 'Fn::Join': readonly [string, readonly Arn[]] };

const asList = <T>(value: T | readonly T[]): readonly T[] => (isList(value) ? value : [value]);
const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

/** Every statement of every policy in the template that grants something to a role, or to one of them. */
const statementsOf = (template: Template, role = /^/): readonly Statement[] =>
  Object.entries(resourcesOf(template)).flatMap(([id, { Type, Properties }]) => {
    if (Type === 'AWS::IAM::Role' && role.test(id))
      return (Properties.Policies ?? []).flatMap(({ PolicyDocument }: Policy) => PolicyDocument.Statement);
    if (Type === 'AWS::IAM::Policy') return Properties.PolicyDocument.Statement;
    return [];
  });

/** A resource's logical id; the ARN as text where it is not of this template. */
function nameOf(arn: Arn): string {
  if (typeof arn === 'string') return arn;
  if ('Ref' in arn) return arn.Ref;
  if ('Fn::GetAtt' in arn) return arn['Fn::GetAtt'].join('.');
  const [separator, parts] = arn['Fn::Join'];
  return parts.map(nameOf).join(separator);
}

const grantsOf = (role: RegExp, options: StackOptions = {}): readonly string[] =>
  statementsOf(aStack(options).template, role)
    .flatMap(({ Action, Resource }) =>
      asList(Action).flatMap((action) => asList(Resource).map((resource) => `${action} ${nameOf(resource)}`)),
    )
    .toSorted();

describe('what receive may do', () => {
  it('is this, and nothing else', () => {
    expect(grantsOf(/^ReceiveRole/)).toEqual([
      'dynamodb:GetItem StorageInbox618003E1.Arn',
      'dynamodb:PutItem StorageInbox618003E1.Arn',
      'dynamodb:PutItem StorageOutbox68CB6060.Arn',
      'dynamodb:UpdateItem StorageInbox618003E1.Arn',
      'dynamodb:UpdateItem StorageSequences3C9FFA4E.Arn',
      'dynamodb:UpdateItem StorageTablesaccounts8A29DA60.Arn',
      'logs:CreateLogStream ReceiveLogsE4C37026.Arn',
      'logs:PutLogEvents ReceiveLogsE4C37026.Arn',
      'secretsmanager:GetSecretValue SigningSecret808474B8',
    ]);
  });

  it('with a table are the actions its author declared, on the table and not on an index', () => {
    const granted = grantsOf(/^ReceiveRole/, {
      tables: { orders: { import: 'legacy-orders', actions: ['Query', 'PutItem'] } },
    });

    expect(granted.filter((grant) => grant.includes('legacy-orders'))).toEqual([
      'dynamodb:PutItem arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/legacy-orders',
      'dynamodb:Query arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/legacy-orders',
    ]);
  });

  it('with a table whose author declared none are the four writes, one read and a query', () => {
    const granted = grantsOf(/^ReceiveRole/, { tables: { orders: { import: 'legacy-orders' } } });

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

describe('what dispatch may do', () => {
  it('is this, and nothing else: neither the inbox nor a table of yours', () => {
    expect(grantsOf(/^OutboxDispatchRole/)).toEqual([
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
    expect(grantsOf(/^OutboxSweepRole/)).toEqual([
      'dynamodb:DeleteItem StorageOutbox68CB6060.Arn',
      'dynamodb:Scan StorageOutbox68CB6060.Arn',
      'dynamodb:UpdateItem StorageOutbox68CB6060.Arn',
      'logs:CreateLogStream OutboxSweepLogs116F4DD0.Arn',
      'logs:PutLogEvents OutboxSweepLogs116F4DD0.Arn',
      'sqs:SendMessage OutboxQueuesQueue1E760BC0.Arn',
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

describe('no role (CDK-08)', () => {
  const customerKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0d990263-018e-4e65-a703-eff731de951e';

  it.each([{}, { stage: 'prod' }, { customerKeyArn }])('has a star in an action or a resource, with %j', (context) => {
    const statements = statementsOf(aStack({ context }).template);

    expect(statements.length).toBeGreaterThan(0);
    expect(JSON.stringify(statements.map(({ Action, Resource }) => [Action, Resource]))).not.toContain('*');
  });

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
