import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerEnvironment } from '../../../local/caller-environment.ts';
import type { Credentials, LocalAws } from '../../../local/local-aws.ts';
import type { Principal } from '../../../local/principal.ts';
import { startLocalAws } from '../../../local/start-local-aws.ts';
import { aTemplate, aTemplateBody } from './fixtures/a-template.ts';
import { allow } from './iam/a-role.ts';

const PATIENCE = { timeout: 30_000, interval: 50 };

let folder: string;
let aws: LocalAws;
let s3: S3Client;
let sqs: SQSClient;
let dynamodb: DynamoDBClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  const code = join(folder, 'keeper');
  await build({
    entryPoints: [join(import.meta.dirname, 'fixtures/keeper/index.mjs')],
    outfile: join(code, 'index.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  aws = await startLocalAws({
    stateFile: false,
    schedules: false,
    dataDirectory: join(folder, 'data'),
    stack: () => ({
      build: async () => ({ template: aStack(code), sources: [] }),
      watch: async () => async () => {},
    }),
  });
  const access = (endpoint: string) => ({ endpoint, region: aws.region, credentials: { ...aws.credentials } });
  s3 = new S3Client(access(aws.endpoints.s3));
  sqs = new SQSClient(access(aws.endpoints.sqs));
  dynamodb = new DynamoDBClient(access(aws.endpoints.dynamodb));
}, 120_000);
afterAll(async () => {
  for (const client of [s3, sqs, dynamodb, ...opened]) client?.destroy();
  await aws?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const ACTIONS = [
  'cloudformation:DescribeStacks',
  'cloudwatch:GetMetricData',
  'dynamodb:DescribeTimeToLive',
  'dynamodb:DescribeContinuousBackups',
  'lambda:ListEventSourceMappings',
  'lambda:GetFunctionConfiguration',
  'logs:FilterLogEvents',
  's3:ListBucket',
  'secretsmanager:DescribeSecret',
  'sqs:GetQueueAttributes',
];

const allowAllBut = (missing: string) =>
  allow(
    ACTIONS.filter((action) => action !== missing),
    '*',
  );

const POLICY = { Version: '2012-10-17', Statement: [allowAllBut('')] };

/** A function that a queue and a stream lead to, and that keeps what comes in a bucket. */
function aStack(code: string) {
  const arnOf = (logicalId: string, attribute = 'Arn') => ({ 'Fn::GetAtt': [logicalId, attribute] });
  const sqsActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  const streamActions = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'];
  const statements = [
    { ...allow(sqsActions, '*'), Resource: arnOf('Events') },
    { ...allow('s3:PutObject', '*'), Resource: { 'Fn::Join': ['', [arnOf('Bodies'), '/*']] } },
    {
      ...allow(
        streamActions.map((action) => `dynamodb:${action}`),
        '*',
      ),
      Resource: arnOf('Inbox', 'StreamArn'),
    },
  ];
  const operatorStatements = [
    allow('cloudformation:DescribeStacks', 'arn:aws:cloudformation:us-east-1:000000000000:stack/Oncehook-dev/*'),
    { ...allow(['dynamodb:DescribeTimeToLive', 'dynamodb:DescribeContinuousBackups'], '*'), Resource: arnOf('Inbox') },
    allow(['cloudwatch:GetMetricData', 'lambda:ListEventSourceMappings'], '*'),
    { ...allow('lambda:GetFunctionConfiguration', '*'), Resource: arnOf('Keeper') },
    { ...allow('logs:FilterLogEvents', '*'), Resource: arnOf('ReceiveLogs') },
    { ...allow('s3:ListBucket', '*'), Resource: arnOf('Bodies') },
    { ...allow('secretsmanager:DescribeSecret', '*'), Resource: { Ref: 'Signing' } },
    { ...allow('sqs:GetQueueAttributes', '*'), Resource: arnOf('Events') },
  ];
  const { Receive: receive } = aTemplateBody().Resources;
  const mapping = (properties: object) => ({
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { FunctionName: { Ref: 'Keeper' }, FunctionResponseTypes: ['ReportBatchItemFailures'], ...properties },
  });
  return aTemplate(
    {
      Events: { Type: 'AWS::SQS::Queue' },
      Bodies: { Type: 'AWS::S3::Bucket' },
      Keeper: {
        ...receive,
        Properties: {
          ...receive.Properties,
          Role: arnOf('KeeperRole'),
          Environment: { Variables: { BUCKET: { Ref: 'Bodies' } } },
        },
        Metadata: { 'aws:asset:path': code },
      },
      KeeperRole: {
        Type: 'AWS::IAM::Role',
        Properties: {
          Policies: [{ PolicyName: 'Keeper', PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
        },
      },
      OperatorPolicy: {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: { PolicyDocument: { Version: '2012-10-17', Statement: operatorStatements } },
      },
      FromQueue: mapping({ EventSourceArn: arnOf('Events') }),
      FromStream: mapping({ EventSourceArn: arnOf('Inbox', 'StreamArn'), StartingPosition: 'TRIM_HORIZON' }),
    },
    {
      ApiUrl: { Value: arnOf('Api', 'ApiEndpoint') },
      EventsQueueUrl: { Value: { Ref: 'Events' } },
      BodiesBucketName: { Value: { Ref: 'Bodies' } },
      InboxTableName: { Value: { Ref: 'Inbox' } },
      KeeperName: { Value: { Ref: 'Keeper' } },
      KeeperLogs: { Value: { Ref: 'ReceiveLogs' } },
      SecretId: { Value: { Ref: 'Signing' } },
    },
  );
}

async function keys(): Promise<readonly (string | undefined)[]> {
  const { Contents: contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: aws.buckets['bodies'] }));
  return contents.map(({ Key }) => Key);
}

const putRow = (id: string) =>
  dynamodb.send(new PutItemCommand({ TableName: aws.tables['inbox'], Item: { id: { S: id } } }));

const opened: { destroy(): void }[] = [];

/** The SDK's clients with the credentials of one caller; they try once. */
function clientsOf({ endpoints, credentials }: Pick<Principal, 'endpoints'> & { credentials: Credentials }) {
  const at = (endpoint: string) => ({ endpoint, region: aws.region, credentials: { ...credentials }, maxAttempts: 1 });
  const clients = {
    cloudFormation: new CloudFormationClient(at(endpoints.cloudformation)),
    cloudWatch: new CloudWatchClient(at(endpoints.monitoring)),
    dynamodb: new DynamoDBClient(at(endpoints.dynamodb)),
    lambda: new LambdaClient(at(endpoints.lambda)),
    logs: new CloudWatchLogsClient(at(endpoints.logs)),
    s3: new S3Client(at(endpoints.s3)),
    secrets: new SecretsManagerClient(at(endpoints.secretsmanager)),
    sqs: new SQSClient(at(endpoints.sqs)),
  };
  opened.push(...Object.values(clients));
  return clients;
}

/** Finds a queue by the stack's outputs and asks it, with whatever its environment says. */
const TOOL = `
  const { CloudFormation } = require('@aws-sdk/client-cloudformation');
  const { SQS } = require('@aws-sdk/client-sqs');
  new CloudFormation({}).describeStacks({ StackName: process.argv[1] }).then(async ({ Stacks: [stack] }) => {
    const { OutputValue: QueueUrl } = stack.Outputs.find(({ OutputKey }) => OutputKey === 'EventsQueueUrl');
    await new SQS({}).getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    console.log(JSON.stringify(QueueUrl));
  });`;

type Clients = ReturnType<typeof clientsOf>;

async function outputsOf({ cloudFormation }: Pick<Clients, 'cloudFormation'>): Promise<Record<string, string>> {
  const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: aws.stackName }));
  return Object.fromEntries(
    (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
}

/** A call of each service that an operator needs, each by what IAM must allow for it. */
const calls = (clients: Clients, outputs: Readonly<Record<string, string>>): Record<string, () => Promise<unknown>> => {
  const table = { TableName: outputs['InboxTableName'] };
  const queue = { QueueUrl: outputs['EventsQueueUrl'] };
  const span = { StartTime: new Date(0), EndTime: new Date() };
  const metric = { Metric: { Namespace: 'Oncehook', MetricName: 'Received' }, Stat: 'Sum', Period: 60 };
  return {
    'cloudformation:DescribeStacks': () => outputsOf(clients),
    'cloudwatch:GetMetricData': () =>
      clients.cloudWatch.send(
        new GetMetricDataCommand({ ...span, MetricDataQueries: [{ Id: 'a', MetricStat: metric }] }),
      ),
    'dynamodb:DescribeTimeToLive': () => clients.dynamodb.send(new DescribeTimeToLiveCommand(table)),
    'dynamodb:DescribeContinuousBackups': () => clients.dynamodb.send(new DescribeContinuousBackupsCommand(table)),
    'lambda:ListEventSourceMappings': () => clients.lambda.send(new ListEventSourceMappingsCommand({})),
    'lambda:GetFunctionConfiguration': () =>
      clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: outputs['KeeperName'] })),
    'logs:FilterLogEvents': () =>
      clients.logs.send(new FilterLogEventsCommand({ logGroupName: outputs['KeeperLogs'] })),
    's3:ListBucket': () => clients.s3.send(new ListObjectsV2Command({ Bucket: outputs['BodiesBucketName'] })),
    'secretsmanager:DescribeSecret': () =>
      clients.secrets.send(new DescribeSecretCommand({ SecretId: outputs['SecretId'] })),
    'sqs:GetQueueAttributes': () => clients.sqs.send(new GetQueueAttributesCommand(queue)),
  };
};

describe('what an operator asks', () => {
  it('is answered to who reaches past the gateway', async () => {
    const clients = clientsOf(aws);
    const outputs = await outputsOf(clients);

    const ttl = await clients.dynamodb.send(new DescribeTimeToLiveCommand({ TableName: outputs['InboxTableName'] }));
    const asked = Object.values(calls(clients, outputs)).map((call) => call());

    await expect(Promise.all(asked)).resolves.toHaveLength(10);
    expect(ttl.TimeToLiveDescription).toMatchObject({ AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' });
    expect(outputs['EventsQueueUrl']).toBe(aws.queues['events']);
    expect(outputs['ApiUrl']).toBe(aws.apiUrl);
  });

  it('tells a mapping that is paused from one that runs', async () => {
    const { lambda } = clientsOf(aws);
    const states = async () => {
      const { EventSourceMappings: found = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
      return Object.fromEntries(found.map(({ UUID = '', State }) => [UUID, State]));
    };

    await aws.mappings.pause({ from: 'stream' });
    const paused = await states();
    aws.mappings.resume({ from: 'stream' });

    expect(paused).toEqual({ 'Oncehook-dev-FromQueue': 'Enabled', 'Oncehook-dev-FromStream': 'Disabled' });
    expect(Object.values(await states())).toEqual(['Enabled', 'Enabled']);
  });

  it('is answered to a principal whose policy allows it, through ports of their own', async () => {
    const operator = await aws.asPrincipal({ policy: aws.managedPolicy('OperatorPolicy') });
    const clients = clientsOf(operator);
    const outputs = await outputsOf(clients);

    const asked = Object.values(calls(clients, outputs)).map((call) => call());

    await expect(Promise.all(asked)).resolves.toHaveLength(10);
    expect(operator.denied).toEqual([]);
    expect(outputs['EventsQueueUrl']).toMatch(new RegExp(`^${operator.endpoints.sqs}/`));
    await operator.stop();
  });

  it('is answered to an unmodified tool that has an operator’s environment', async () => {
    const operator = await aws.asPrincipal({ policy: POLICY });
    const env = { PATH: process.env['PATH'], ...callerEnvironment({ ...operator, region: aws.region }) };

    const { stdout } = await promisify(execFile)(process.execPath, ['-e', TOOL, aws.stackName], { env });

    expect(JSON.parse(stdout)).toBe(`${operator.endpoints.sqs}/000000000000/Oncehook-dev-Events`);
    expect(operator.used.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['cloudformation:DescribeStacks', 'sqs:GetQueueAttributes']),
    );
    await operator.stop();
  });

  it('is refused to a principal whose policy lacks one action, that one and no other', async () => {
    const outputs = await outputsOf(clientsOf(aws));
    for (const missing of ACTIONS) {
      const operator = await aws.asPrincipal({ policy: { ...POLICY, Statement: [allowAllBut(missing)] } });
      const all = Object.entries(calls(clientsOf(operator), outputs));

      const refused = await Promise.all(
        all.map(([action, call]) =>
          call().then(
            () => [],
            (error) => [[action, error.name, error.message] as const],
          ),
        ),
      );

      expect(refused.flat()).toEqual([
        [
          missing,
          expect.stringMatching(/^AccessDenied(Exception)?$/),
          expect.stringContaining(
            `User: arn:aws:sts::000000000000:assumed-role/operator/operator is not authorized to perform: ${missing} on resource: `,
          ),
        ],
      ]);
      expect(operator.denied.map(({ action }) => action)).toEqual([missing]);
      await operator.stop();
    }
  }, 60_000);

  it('is refused with the credentials of people, and theirs are refused past the gateway', async () => {
    const operator = await aws.asPrincipal({ policy: POLICY });
    const people = clientsOf({ endpoints: operator.endpoints, credentials: aws.credentials });
    const stranger = clientsOf({ endpoints: aws.endpoints, credentials: operator.credentials });

    await expect(outputsOf(people)).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    await expect(outputsOf(stranger)).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    await operator.stop();
  });

  it('says of another stack what the policy says of it', async () => {
    const operator = await aws.asPrincipal({ policy: aws.managedPolicy('OperatorPolicy'), name: 'ada' });
    const other = new DescribeStacksCommand({ StackName: 'Oncehook-prod' });

    await expect(clientsOf(operator).cloudFormation.send(other)).rejects.toThrow(
      'User: arn:aws:sts::000000000000:assumed-role/ada/ada is not authorized to perform: cloudformation:DescribeStacks on resource: arn:aws:cloudformation:us-east-1:000000000000:stack/Oncehook-prod/*',
    );
    await expect(clientsOf(aws).cloudFormation.send(other)).rejects.toThrow(
      'Stack with id Oncehook-prod does not exist',
    );
    expect(() => aws.managedPolicy('Other')).toThrow('the stack has no managed policy Other');
    await operator.stop();
  });

  it('needs a policy that IAM would take', async () => {
    const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Perhaps', Action: '*', Resource: '*' }] };

    await expect(aws.asPrincipal({ policy })).rejects.toThrow('IAM would not take a policy of operator');
  });
});

describe('a stack with a queue, a stream and a bucket', () => {
  it('brings a message to its function, whose client of S3 is told nothing', async () => {
    const sent = await sqs.send(new SendMessageCommand({ QueueUrl: aws.queues['events'], MessageBody: 'x' }));

    await expect.poll(keys, PATIENCE).toContain(`message/${sent.MessageId}`);
    expect(aws.gateway.iam.denied.filter(({ action }) => !action.startsWith('logs:'))).toEqual([]);
  });

  it('leaves a message in its queue while that is paused, and the stream goes on', async () => {
    await aws.mappings.pause({ functionKey: 'keeper', from: 'queue' });
    const sent = await sqs.send(new SendMessageCommand({ QueueUrl: aws.queues['events'], MessageBody: 'x' }));
    await putRow('meanwhile');

    await expect.poll(keys, PATIENCE).toContain('row/meanwhile');
    expect(await keys()).not.toContain(`message/${sent.MessageId}`);
    aws.mappings.resume({ functionKey: 'keeper', from: 'queue' });
    await expect.poll(keys, PATIENCE).toContain(`message/${sent.MessageId}`);
  });

  it('goes on when DynamoDB is started again, with what was written before and after', async () => {
    await aws.mappings.pause({ from: 'stream' });
    await putRow('before');

    await aws.restartDynamoDb();
    aws.mappings.resume({ from: 'stream' });
    await putRow('after');

    await expect.poll(keys, PATIENCE).toEqual(expect.arrayContaining(['row/before', 'row/after']));
  }, 60_000);
});
