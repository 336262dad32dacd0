import { describe, expect, it } from 'vitest';
import { aStack, EVERYTHING } from './a-stack.ts';
import { onlyResource, resourcesOfType } from './template.ts';

const { template } = aStack(EVERYTHING);
const statementsOf = (type: string) => {
  const { KeyPolicy, PolicyDocument } = onlyResource(template, type).Properties;
  return (KeyPolicy ?? PolicyDocument).Statement;
};

const toCloudWatch = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } };

describe('the topic of the alarms', () => {
  it('mails to the address of the settings', () => {
    expect(onlyResource(template, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'on-call@example.com',
      TopicArn: { Ref: expect.stringMatching(/^AlarmsTopic/) },
    });
  });

  it('is encrypted with a key that CloudWatch may use: without that no alarm would arrive', () => {
    const { KmsMasterKeyId } = onlyResource(template, 'AWS::SNS::Topic').Properties;

    expect(Object.keys(resourcesOfType(template, 'AWS::KMS::Key'))).toEqual([KmsMasterKeyId['Fn::GetAtt'][0]]);
    expect(onlyResource(template, 'AWS::KMS::Key').Properties.EnableKeyRotation).toBe(true);
    expect(statementsOf('AWS::KMS::Key')).toContainEqual(
      expect.objectContaining({ ...toCloudWatch, Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
    );
  });

  it('takes messages from the alarms of this stack, and over TLS alone', () => {
    const [refused, allowed, ...others] = statementsOf('AWS::SNS::TopicPolicy');

    expect(others).toEqual([]);
    expect(refused).toMatchObject({
      Effect: 'Deny',
      Principal: '*',
      Action: 'sns:Publish',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    expect(allowed).toMatchObject({
      ...toCloudWatch,
      Action: 'sns:Publish',
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
    const from: unknown = allowed.Condition.ArnLike['aws:SourceArn'];
    expect(JSON.stringify(from)).toMatch(/:alarm:",\{"Ref":"AWS::StackName"\},"-\*"/);
  });

  it('has the name of every alarm within that', () => {
    for (const { Properties } of Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm'))) {
      expect(Properties.AlarmName).toEqual({
        'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, expect.stringMatching(/^-/)]],
      });
    }
  });
});
