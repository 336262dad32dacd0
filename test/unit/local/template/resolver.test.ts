// biome-ignore-all lint/suspicious/noTemplateCurlyInString: in Fn::Sub `${Name}` is CloudFormation's own text, which JavaScript must not fill in
import { describe, expect, it } from 'vitest';
import { createResolver } from '../../../../local/template/resolver.ts';
import { A_PLACE, aTemplate } from '../fixtures/a-template.ts';

const resolver = createResolver(aTemplate(), A_PLACE);
const resolve = (value: unknown) => resolver.resolve(value, 'Here.Value');

describe('CloudFormation functions in a template', () => {
  it.each([
    ['a reference to a table is its name', { Ref: 'Inbox' }, 'Oncehook-dev-Inbox'],
    [
      'a reference to a secret is its ARN',
      { Ref: 'Signing' },
      'arn:aws:secretsmanager:us-east-1:000000000000:secret:Oncehook-dev-Signing-local1',
    ],
    [
      'an attribute is found by its path',
      { 'Fn::GetAtt': ['Inbox', 'Arn'] },
      'arn:aws:dynamodb:us-east-1:000000000000:table/Oncehook-dev-Inbox',
    ],
    [
      'an attribute may be written with a dot',
      { 'Fn::GetAtt': 'Receive.Arn' },
      'arn:aws:lambda:us-east-1:000000000000:function:Oncehook-dev-Receive',
    ],
    ['a pseudo parameter is known', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['parts are joined', { 'Fn::Join': ['/', ['a', { Ref: 'AWS::Partition' }]] }, 'a/aws'],
    ['one of a split text is selected', { 'Fn::Select': [1, { 'Fn::Split': ['-', { Ref: 'Inbox' }] }] }, 'dev'],
    [
      'names in a text are replaced',
      { 'Fn::Sub': '${AWS::AccountId}/${Inbox.Arn}/${!literal}' },
      '000000000000/arn:aws:dynamodb:us-east-1:000000000000:table/Oncehook-dev-Inbox/${literal}',
    ],
    [
      'a text may bring its own names',
      { 'Fn::Sub': ['${it}-${AWS::Region}', { it: { Ref: 'Inbox' } }] },
      'Oncehook-dev-Inbox-us-east-1',
    ],
    ['what is no function stays as it is, inside too', { a: [1, { Ref: 'Api' }], b: null }, { a: [1, 'Api'], b: null }],
  ])('%s', (_, value, expected) => {
    const resolved = resolve(value);

    expect(resolved).toEqual(expected);
  });

  it.each([
    [
      'an unknown function',
      { 'Fn::ImportValue': 'x' },
      'Here.Value uses Fn::ImportValue, which local AWS does not know',
    ],
    [
      'a resource that is not there',
      { Ref: 'Nowhere' },
      'Here.Value refers to Nowhere, which the template does not have',
    ],
    [
      'an attribute without a meaning here',
      { 'Fn::GetAtt': ['ReceiveRole', 'RoleId'] },
      'no RoleId of ReceiveRole, a AWS::IAM::Role',
    ],
    ['an entry past the end', { 'Fn::Select': [3, ['a']] }, 'Fn::Select has no entry 3'],
  ])('%s is refused by name', (_, value, message) => {
    expect(() => resolve(value)).toThrow(message);
  });
});
