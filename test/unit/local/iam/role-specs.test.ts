import { describe, expect, it } from 'vitest';
import { grantsOf } from '../../../../local/iam/grants.ts';
import { readStackSpec } from '../../../../local/template/stack-spec.ts';
import { A_PLACE, aTemplate } from '../fixtures/a-template.ts';

const rolesOf = (resources: Readonly<Record<string, unknown>>) => readStackSpec(aTemplate(resources), A_PLACE).roles;

const policy = (Action: string, Resource: unknown) => ({
  PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] },
});

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Oncehook-dev';

describe('the role of a function', () => {
  it('has the policies in it, with every reference resolved', () => {
    const [role] = rolesOf({
      ReceiveRole: {
        Type: 'AWS::IAM::Role',
        Properties: {
          Policies: [
            {
              PolicyName: 'Receive',
              PolicyDocument: {
                Version: '2012-10-17',
                Statement: [
                  { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: { 'Fn::GetAtt': ['Inbox', 'Arn'] } },
                  { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: { Ref: 'Signing' } },
                  {
                    Effect: 'Allow',
                    Action: ['logs:PutLogEvents'],
                    Resource: [{ 'Fn::GetAtt': ['ReceiveLogs', 'Arn'] }],
                  },
                  {
                    Effect: 'Allow',
                    Action: 'dynamodb:Query',
                    Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Inbox', 'Arn'] }, '/index/*']] },
                  },
                ],
              },
            },
          ],
        },
      },
    });

    expect(role).toMatchObject({
      functionKey: 'bundle',
      functionName: 'Oncehook-dev-Receive',
      roleName: 'Oncehook-dev-ReceiveRole',
      logGroup: 'Oncehook-dev-ReceiveLogs',
    });
    expect((role === undefined ? [] : grantsOf(role)).map(({ action, resource }) => [action, resource])).toEqual([
      ['dynamodb:PutItem', `${TABLE}-Inbox`],
      [
        'secretsmanager:GetSecretValue',
        'arn:aws:secretsmanager:us-east-1:000000000000:secret:Oncehook-dev-Signing-local1',
      ],
      ['logs:PutLogEvents', 'arn:aws:logs:us-east-1:000000000000:log-group:Oncehook-dev-ReceiveLogs:*'],
      ['dynamodb:Query', `${TABLE}-Inbox/index/*`],
    ]);
  });

  it('has the policies attached to it, and no other', () => {
    const [role] = rolesOf({
      ReceiveRole: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [{ Ref: 'Managed' }] } },
      OtherRole: { Type: 'AWS::IAM::Role', Properties: {} },
      Attached: {
        Type: 'AWS::IAM::Policy',
        Properties: { PolicyName: 'A', Roles: [{ Ref: 'ReceiveRole' }], ...policy('dynamodb:GetItem', '*') },
      },
      Other: {
        Type: 'AWS::IAM::Policy',
        Properties: { PolicyName: 'O', Roles: [{ Ref: 'OtherRole' }], ...policy('dynamodb:DeleteItem', '*') },
      },
      Managed: { Type: 'AWS::IAM::ManagedPolicy', Properties: policy('dynamodb:Scan', '*') },
      ManagedByName: {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: { Roles: [{ Ref: 'ReceiveRole' }], ...policy('dynamodb:Query', '*') },
      },
    });

    expect((role === undefined ? [] : grantsOf(role)).map(({ action }) => action)).toEqual([
      'dynamodb:GetItem',
      'dynamodb:Scan',
      'dynamodb:Query',
    ]);
  });

  it.each([
    [
      'with a policy whose text is not in the template',
      { ReceiveRole: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: ['arn:aws:iam::aws:policy/Admin'] } } },
      'ReceiveRole has the managed policy "arn:aws:iam::aws:policy/Admin", whose text local AWS does not have',
    ],
    [
      'with a boundary',
      { ReceiveRole: { Type: 'AWS::IAM::Role', Properties: { PermissionsBoundary: 'arn:aws:iam::0:policy/B' } } },
      'ReceiveRole has a permissions boundary',
    ],
    ['that is no role', { ReceiveRole: { Type: 'AWS::Logs::LogGroup' } }, 'Receive has a role of another stack'],
  ])('%s is refused by name', (_, resources, message) => {
    expect(() => rolesOf(resources)).toThrow(message);
  });
});
