import { describe, expect, it } from 'vitest';
import { readStackNames } from '../../../../local/stack-names.ts';
import { readStackSpec } from '../../../../local/template/stack-spec.ts';
import { A_PLACE, aTemplate, aTemplateBody, FIXTURE_BUNDLE } from '../fixtures/a-template.ts';

const read = (resources: Readonly<Record<string, unknown>> = {}) => readStackSpec(aTemplate(resources), A_PLACE);

describe('a stack read from its template', () => {
  it('has each table with its keys, index, stream and time to live', () => {
    const [inbox, accounts] = read().tables;

    expect(inbox).toEqual({
      logicalId: 'Inbox',
      name: 'Oncehook-dev-Inbox',
      ttlAttribute: 'expiresAt',
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
      signingSecretId: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Oncehook-dev-Signing-local1',
    });
  });

  it.each([
    ['a type that it cannot run', { Later: { Type: 'AWS::S3::Bucket' } }, 'Later is a AWS::S3::Bucket'],
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
