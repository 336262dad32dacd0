import { describe, expect, it } from 'vitest';
import { aStack } from './a-stack.ts';
import { resourcesOf } from './template.ts';

/** Properties that name a resource within an account and Region; two stacks cannot both have one name. */
const PHYSICAL_NAMES = [
  'AlarmName',
  'BucketName',
  'DashboardName',
  'FunctionName',
  'LogGroupName',
  'Name',
  'PolicyName',
  'QueueName',
  'RoleName',
  'RuleName',
  'TableName',
  'TopicName',
];

/** Where a function's name refers and does not name. */
const REFERS = ['AWS::Lambda::Permission', 'AWS::Lambda::EventSourceMapping', 'AWS::Lambda::EventInvokeConfig'];

describe('two stages in one account', () => {
  it('are two stacks', () => {
    expect(['dev', 'prod'].map((stage) => aStack({ context: { stage } }).stack.stackName)).toEqual([
      'Oncehook-dev',
      'Oncehook-prod',
    ]);
  });

  it.each(['dev', 'prod'])("meet in no name: those of %s are CloudFormation's, or begin with the stack's", (stage) => {
    for (const [id, { Type, Properties }] of Object.entries(resourcesOf(aStack({ context: { stage } }).template))) {
      if (REFERS.includes(Type)) continue;
      for (const property of PHYSICAL_NAMES) {
        const name = Properties[property];
        if (name === undefined) continue;
        expect(JSON.stringify(name), `${id}.${property}`).toMatch(
          /^(\{"Ref":"AWS::StackName"\}|\{"Fn::Join":\["",\[\{"Ref":"AWS::StackName"\})/,
        );
      }
    }
  });

  it('differ in nothing but what they keep', () => {
    const shapeOf = (stage: string) =>
      Object.entries(resourcesOf(aStack({ context: { stage } }).template)).map(([id, { Type }]) => [id, Type]);

    expect(shapeOf('prod')).toEqual(shapeOf('dev'));
  });
});

describe('a template', () => {
  it('is the same each time it is made', () => {
    expect(aStack().template.toJSON()).toEqual(aStack().template.toJSON());
  });
});
