import { describe, expect, it } from 'vitest';
import { aStack } from './a-stack.ts';
import { onlyResource } from './template.ts';

const { template } = aStack();
const { Properties: bucket } = onlyResource(template, 'AWS::S3::Bucket');

describe('the bucket of the bodies', () => {
  it('is nothing that the public can reach, by policy or by object', () => {
    expect(bucket.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(bucket.OwnershipControls).toEqual({ Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] });
  });

  it('is encrypted by S3', () => {
    expect(bucket.BucketEncryption).toEqual({
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    });
  });

  it('refuses a request without TLS, and allows nobody anything: the roles say who may', () => {
    expect(onlyResource(template, 'AWS::S3::BucketPolicy').Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:*',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ]);
  });

  it('deletes a body after 30 days and an unfinished upload after one, and keeps no older version of either', () => {
    expect(bucket.LifecycleConfiguration.Rules).toEqual([
      { ExpirationInDays: 30, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
    ]);
    expect(bucket.VersioningConfiguration).toBeUndefined();
  });

  it.each([
    ['prod', 'Retain'],
    ['dev', 'Delete'],
  ])('of %s has the policy %s when the stack is deleted', (stage, policy) => {
    const found = onlyResource(aStack({ context: { stage } }).template, 'AWS::S3::Bucket');

    expect([found.DeletionPolicy, found.UpdateReplacePolicy]).toEqual([policy, policy]);
  });

  it('is emptied by nobody but its lifecycle: there is no function that could delete every body', () => {
    template.resourceCountIs('Custom::S3AutoDeleteObjects', 0);
  });
});
