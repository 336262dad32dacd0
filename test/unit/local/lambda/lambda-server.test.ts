import {
  GetEventSourceMappingCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
} from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDeployedStack } from '../../../../local/deployed-stack.ts';
import type { ServiceServer } from '../../../../local/gateway/service-server.ts';
import { startLambdaServer } from '../../../../local/lambda/lambda-server.ts';
import { A_PLACE, aTemplate } from '../fixtures/a-template.ts';

const mapping = (properties: object = {}) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    FunctionName: { Ref: 'Receive' },
    EventSourceArn: { 'Fn::GetAtt': ['Events', 'Arn'] },
    BatchSize: 1,
    ...properties,
  },
});
const STACK = readDeployedStack(
  aTemplate({ Events: { Type: 'AWS::SQS::Queue' }, On: mapping(), Off: mapping({ Enabled: false }) }),
  A_PLACE,
  1000,
  undefined,
);
const NAME = 'Oncehook-dev-Receive';
const ARN = `arn:aws:lambda:us-east-1:000000000000:function:${NAME}`;
const QUEUE_ARN = 'arn:aws:sqs:us-east-1:000000000000:Oncehook-dev-Events';

let paused: readonly string[];
let server: ServiceServer;
let client: LambdaClient;

const clientWith = (accessKeyId: string) =>
  new LambdaClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
    maxAttempts: 1,
  });

beforeEach(async () => {
  paused = [];
  server = await startLambdaServer({
    accessKeyId: 'LOCAL1',
    stack: () => STACK,
    isPaused: (logicalId) => paused.includes(logicalId),
  });
  client = clientWith('LOCAL1');
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

async function states(input: { FunctionName?: string; EventSourceArn?: string }) {
  const { EventSourceMappings: found = [] } = await client.send(new ListEventSourceMappingsCommand(input));
  return found.map(({ UUID, State }) => [UUID, State]);
}

describe('Lambda here, asked by the SDK', () => {
  it.each([{}, { FunctionName: NAME }, { FunctionName: ARN }, { EventSourceArn: QUEUE_ARN }])(
    'lists the mappings of %j, those too that are switched off',
    async (input) => {
      expect(await states(input)).toEqual([
        ['Oncehook-dev-On', 'Enabled'],
        ['Oncehook-dev-Off', 'Disabled'],
      ]);
    },
  );

  it('lists none of another queue', async () => {
    expect(await states({ EventSourceArn: `${QUEUE_ARN}x` })).toEqual([]);
  });

  it('says of a mapping that is paused that it is disabled', async () => {
    paused = ['On'];

    const found = await client.send(new GetEventSourceMappingCommand({ UUID: 'Oncehook-dev-On' }));

    expect(found).toMatchObject({
      State: 'Disabled',
      EventSourceArn: QUEUE_ARN,
      FunctionArn: ARN,
      BatchSize: 1,
      LastModified: new Date(1000),
    });
  });

  it('goes on from page to page', async () => {
    const first = await client.send(new ListEventSourceMappingsCommand({ MaxItems: 1 }));
    const second = await client.send(new ListEventSourceMappingsCommand({ MaxItems: 1, Marker: first.NextMarker }));

    expect(
      [...(first.EventSourceMappings ?? []), ...(second.EventSourceMappings ?? [])].map(({ UUID }) => UUID),
    ).toEqual(['Oncehook-dev-On', 'Oncehook-dev-Off']);
    expect(second.NextMarker).toBeUndefined();
  });

  it.each([NAME, ARN])('describes the function %s as the template has it', async (FunctionName) => {
    const found = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));

    expect(found).toMatchObject({
      FunctionName: NAME,
      FunctionArn: ARN,
      State: 'Active',
      Timeout: 10,
      MemorySize: 512,
      Runtime: 'nodejs24.x',
      Environment: { Variables: { ONCEHOOK_INBOX_TABLE: 'Oncehook-dev-Inbox' } },
      LoggingConfig: { LogGroup: 'Oncehook-dev-ReceiveLogs' },
    });
  });

  it('says of what is not there that it is not', async () => {
    const notFound = { name: 'ResourceNotFoundException' };

    await expect(client.send(new GetFunctionConfigurationCommand({ FunctionName: 'x' }))).rejects.toMatchObject(
      notFound,
    );
    await expect(states({ FunctionName: 'x' })).rejects.toMatchObject(notFound);
    await expect(client.send(new GetEventSourceMappingCommand({ UUID: 'x' }))).rejects.toMatchObject(notFound);
  });

  it('answers nobody else’s access key', async () => {
    const stranger = clientWith('LOCAL2');

    await expect(stranger.send(new ListEventSourceMappingsCommand({}))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
    stranger.destroy();
  });
});
