// biome-ignore-all lint/suspicious/noTemplateCurlyInString: in Fn::Sub `${Name}` is CloudFormation's own text, which JavaScript must not fill in
import { describe, expect, it } from 'vitest';
import { readStackNames } from '../../../../local/stack-names.ts';
import { readStackSpec } from '../../../../local/template/stack-spec.ts';
import { A_PLACE, aTemplate, aTemplateBody, FIXTURE_BUNDLE } from '../fixtures/a-template.ts';

const read = (resources: Readonly<Record<string, unknown>> = {}) => readStackSpec(aTemplate(resources), A_PLACE);

describe('a stack read from its template', () => {
  it('has each table with its keys, index, stream, time to live and recovery', () => {
    const [inbox, accounts] = read().tables;

    expect(inbox).toEqual({
      logicalId: 'Inbox',
      name: 'Oncehook-dev-Inbox',
      ttlAttribute: 'expiresAt',
      isRecoverable: true,
      create: {
        TableName: 'Oncehook-dev-Inbox',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'id', AttributeType: 'S' },
          { AttributeName: 'attention', AttributeType: 'S' },
        ],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'attention',
            KeySchema: [{ AttributeName: 'attention', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      },
    });
    expect(accounts?.ttlAttribute).toBeUndefined();
    expect(accounts?.isRecoverable).toBe(false);
    expect(accounts?.create.KeySchema).toEqual([
      { AttributeName: 'accountId', KeyType: 'HASH' },
      { AttributeName: 'day', KeyType: 'RANGE' },
    ]);
  });

  it('has each function with its limits and its resolved environment', () => {
    const [receive] = read().functions;

    expect(receive).toEqual({
      logicalId: 'Receive',
      key: 'bundle',
      name: 'Oncehook-dev-Receive',
      arn: 'arn:aws:lambda:us-east-1:000000000000:function:Oncehook-dev-Receive',
      codeDirectory: FIXTURE_BUNDLE,
      handler: 'index.handler',
      timeoutMs: 10_000,
      memoryMb: 512,
      logGroup: 'Oncehook-dev-ReceiveLogs',
      logFormat: 'JSON',
      logLevel: undefined,
      environment: {
        ONCEHOOK_INBOX_TABLE: 'Oncehook-dev-Inbox',
        ONCEHOOK_TABLE_accounts: 'Oncehook-dev-Accounts',
        ONCEHOOK_SIGNING_SECRET_ID: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Oncehook-dev-Signing-local1',
      },
    });
  });

  it('has the routes with the function each leads to', () => {
    const { routes } = read().httpApi;

    expect(routes).toEqual([
      { key: 'ANY /webhooks/{source}', target: { functionName: 'Oncehook-dev-Receive', timeoutMs: 30_000 } },
    ]);
  });

  it('names the tables by the environment of its functions', () => {
    const names = readStackNames(read());

    expect(names).toEqual({
      tables: { inbox: 'Oncehook-dev-Inbox', accounts: 'Oncehook-dev-Accounts' },
      queues: {},
      buckets: {},
      signingSecretId: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Oncehook-dev-Signing-local1',
    });
  });

  it('names queues and buckets by its outputs, and knows no other output', () => {
    const names = readStackNames(
      readStackSpec(
        aTemplate(
          { Q: { Type: 'AWS::SQS::Queue' }, Dead: { Type: 'AWS::SQS::Queue' }, Bodies: { Type: 'AWS::S3::Bucket' } },
          {
            EventsQueueUrl: { Value: { Ref: 'Q' } },
            EventsDlqUrl: { Value: { Ref: 'Dead' } },
            BodiesBucketName: { Value: { Ref: 'Bodies' } },
            OtherBucketName: { Value: 'not-of-the-stack' },
            DashboardUrl: { Value: { Ref: 'Bodies' } },
            ApiUrl: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } },
          },
        ),
        A_PLACE,
      ),
    );

    expect(names.queues).toEqual({ events: 'Oncehook-dev-Q', eventsDlq: 'Oncehook-dev-Dead' });
    expect(names.buckets).toEqual({ bodies: 'oncehook-dev-bodies' });
  });

  it('has each bucket by its name, whatever protects it', () => {
    const { buckets } = read({
      Bodies: {
        Type: 'AWS::S3::Bucket',
        Properties: {
          BucketEncryption: { ServerSideEncryptionConfiguration: [] },
          LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Status: 'Enabled' }] },
          PublicAccessBlockConfiguration: { BlockPublicAcls: true },
        },
      },
      BodiesPolicy: { Type: 'AWS::S3::BucketPolicy', Properties: { Bucket: { Ref: 'Bodies' } } },
      [`B${'x'.repeat(70)}1`]: { Type: 'AWS::S3::Bucket' },
      Named: { Type: 'AWS::S3::Bucket', Properties: { BucketName: { 'Fn::Sub': 'own-${AWS::Region}' } } },
    });

    expect(buckets[0]).toEqual({ logicalId: 'Bodies', name: 'oncehook-dev-bodies' });
    expect(buckets[1]?.name).toMatch(/^x{62}1$/);
    expect(buckets[2]?.name).toBe('own-us-east-1');
  });

  it.each([
    ['a type that it cannot run', { Later: { Type: 'AWS::EC2::Instance' } }, 'Later is a AWS::EC2::Instance'],
    [
      'a bucket that remembers',
      { Later: { Type: 'AWS::S3::Bucket', Properties: { VersioningConfiguration: { Status: 'Enabled' } } } },
      'Later has VersioningConfiguration',
    ],
    [
      'a condition on what it runs',
      { Signing: { Type: 'AWS::SecretsManager::Secret', Condition: 'IsProd' } },
      'Signing has the condition IsProd',
    ],
    [
      'another runtime',
      { Receive: { Type: 'AWS::Lambda::Function', Properties: { Runtime: 'python3.14' } } },
      'Receive has the runtime python3.14',
    ],
    [
      'a function without a folder',
      { Receive: { ...aTemplateBody().Resources.Receive, Metadata: {} } },
      'Receive does not say where its code is',
    ],
    [
      'another payload format',
      {
        Integration: {
          Type: 'AWS::ApiGatewayV2::Integration',
          Properties: { IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '1.0' },
        },
      },
      'Integration is AWS_PROXY 1.0',
    ],
    ['a second API', { Second: { Type: 'AWS::ApiGatewayV2::Api' } }, 'serves one HTTP API, and the template has 2'],
    [
      'a named stage',
      { Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { StageName: 'v1' } } },
      'Api needs a stage named $default',
    ],
  ])('is refused by logical id for %s', (_, resources, message) => {
    expect(() => read(resources)).toThrow(message);
  });
});
