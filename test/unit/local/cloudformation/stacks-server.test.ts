import { CloudFormationClient, DescribeStacksCommand, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStacksServer } from '../../../../local/cloudformation/stacks-server.ts';
import { type DeployedStack, readDeployedStack } from '../../../../local/deployed-stack.ts';
import type { ServiceServer } from '../../../../local/gateway/service-server.ts';
import { A_PLACE, aTemplate } from '../fixtures/a-template.ts';

const PEOPLES_PLACE = { ...A_PLACE, sqsUrl: 'http://127.0.0.1:1', apiUrl: 'http://127.0.0.1:2' };
const STACK_ID =
  'arn:aws:cloudformation:us-east-1:000000000000:stack/Oncehook-dev/00000000-0000-4000-8000-000000000000';

const TEMPLATE = aTemplate(
  { Events: { Type: 'AWS::SQS::Queue' } },
  {
    ApiUrl: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } },
    EventsQueueUrl: { Value: { Ref: 'Events' } },
    InboxTableName: { Value: { Ref: 'Inbox' } },
    Odd: { Value: '<a> & "b"' },
    DashboardUrl: { Value: { 'Fn::GetAtt': ['Inbox', 'OnlyInAws'] } },
  },
);

let stack: DeployedStack;
let server: ServiceServer;
let client: CloudFormationClient;

const clientWith = (accessKeyId: string) =>
  new CloudFormationClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
    maxAttempts: 1,
  });

beforeEach(async () => {
  stack = readDeployedStack(TEMPLATE, PEOPLES_PLACE, 1000, undefined);
  server = await startStacksServer({ accessKeyId: 'LOCAL1', stack: () => stack, outputs: () => stack.outputs() });
  client = clientWith('LOCAL1');
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

describe('CloudFormation here, asked by the SDK', () => {
  it('says of a stack with a domain of its own where it answers here', async () => {
    const template = aTemplate(
      { Domain: { Type: 'AWS::ApiGatewayV2::DomainName', Properties: { DomainName: 'hooks.example.com' } } },
      {
        ApiUrl: { Value: 'https://hooks.example.com' },
        WebhookUrlShop: { Value: 'https://hooks.example.com/webhooks/shop' },
        Elsewhere: { Value: 'https://hooks.example.community/x' },
      },
    );
    stack = readDeployedStack(template, PEOPLES_PLACE, 1000, undefined);

    const { Stacks: [described] = [] } = await client.send(new DescribeStacksCommand({ StackName: 'Oncehook-dev' }));

    expect(described?.Outputs?.map(({ OutputValue: value }) => value)).toEqual([
      'http://127.0.0.1:2',
      'http://127.0.0.1:2/webhooks/shop',
      'https://hooks.example.community/x',
    ]);
  });

  it('describes the stack with the outputs that have a meaning here, and URLs that work here', async () => {
    const { Stacks: stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: 'Oncehook-dev' }));

    expect(stacks).toHaveLength(1);
    expect(stacks[0]).toMatchObject({
      StackName: 'Oncehook-dev',
      StackId: STACK_ID,
      StackStatus: 'CREATE_COMPLETE',
      CreationTime: new Date(1000),
      Outputs: [
        { OutputKey: 'ApiUrl', OutputValue: 'http://127.0.0.1:2' },
        { OutputKey: 'EventsQueueUrl', OutputValue: 'http://127.0.0.1:1/000000000000/Oncehook-dev-Events' },
        { OutputKey: 'InboxTableName', OutputValue: 'Oncehook-dev-Inbox' },
        { OutputKey: 'Odd', OutputValue: '<a> & "b"' },
      ],
    });
  });

  it('finds it by its id, and without a name', async () => {
    const byId = await client.send(new DescribeStacksCommand({ StackName: STACK_ID }));
    const all = await client.send(new DescribeStacksCommand({}));

    expect(byId.Stacks?.map(({ StackName }) => StackName)).toEqual(['Oncehook-dev']);
    expect(all.Stacks?.map(({ StackName }) => StackName)).toEqual(['Oncehook-dev']);
  });

  it('says of another name that there is no such stack, as AWS says it', async () => {
    const asked = client.send(new DescribeStacksCommand({ StackName: 'Oncehook-prod' }));

    await expect(asked).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'Stack with id Oncehook-prod does not exist',
    });
  });

  it('says that a stack was updated when it is deployed again, and keeps when it was made', async () => {
    stack = readDeployedStack(TEMPLATE, PEOPLES_PLACE, 5000, stack);

    const { StackSummaries: listed } = await client.send(new ListStacksCommand({}));
    const created = await client.send(new ListStacksCommand({ StackStatusFilter: ['CREATE_COMPLETE'] }));

    expect(listed?.[0]).toMatchObject({
      StackStatus: 'UPDATE_COMPLETE',
      CreationTime: new Date(1000),
      LastUpdatedTime: new Date(5000),
    });
    expect(created.StackSummaries ?? []).toEqual([]);
  });

  it('answers nobody else’s access key', async () => {
    const stranger = clientWith('LOCAL2');

    await expect(stranger.send(new DescribeStacksCommand({}))).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    stranger.destroy();
  });
});
