import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import {
  type EventSourceMappingConfiguration,
  GetFunctionConfigurationCommand,
  type LambdaClient,
  ListEventSourceMappingsCommand,
} from '@aws-sdk/client-lambda';
import type { Inspection, MappingFacts, OwnTable } from '../../deployment/inspection-port.ts';
import type { Resources } from '../../deployment/resources.ts';
import { explaining } from './explain-error.ts';
import { nameOfQueue } from './operator-queue.ts';

export interface InspectionDeps {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly lambda: () => Promise<Pick<LambdaClient, 'send'>>;
  readonly resources: Resources;
  readonly isLocal: boolean;
}

/** What DynamoDB and Lambda say of the deployed parts. */
export function createInspection({ dynamodb, lambda, resources, isLocal }: InspectionDeps): Inspection {
  const names: Readonly<Record<OwnTable, string>> = {
    inbox: resources.inboxTable,
    outbox: resources.outboxTable,
    sequences: resources.sequencesTable,
  };
  const askTable = <T>(action: string, table: string, call: () => Promise<T>): Promise<T> =>
    explaining({ service: 'dynamodb', action, resource: `table ${table}`, isLocal }, call);

  let listed: Promise<readonly EventSourceMappingConfiguration[]> | undefined;
  const mappings = (): Promise<readonly EventSourceMappingConfiguration[]> => {
    listed ??= explaining(
      { service: 'lambda', action: 'ListEventSourceMappings', resource: 'this account and Region', isLocal },
      async () => listMappings(await lambda()),
    );
    return listed;
  };
  const ofQueue = async (url: string): Promise<readonly EventSourceMappingConfiguration[]> =>
    (await mappings()).filter(({ EventSourceArn: arn }) => arn?.split(':').at(-1) === nameOfQueue(url));
  const ofStream = async (table: string): Promise<readonly EventSourceMappingConfiguration[]> =>
    (await mappings()).filter(({ EventSourceArn: arn }) => arn?.includes(`:table/${table}/stream/`) === true);

  return {
    table: (table) =>
      askTable('DescribeTable', names[table], async () => {
        const { Table: described } = await dynamodb.send(new DescribeTableCommand({ TableName: names[table] }));
        const own = described?.TableArn?.split(':')[3];
        return {
          replicaRegions: (described?.Replicas ?? []).flatMap(({ RegionName: region }) =>
            region === undefined || region === own ? [] : [region],
          ),
        };
      }),
    timeToLive: () =>
      askTable('DescribeTimeToLive', names.inbox, async () => {
        const { TimeToLiveDescription: described } = await dynamodb.send(
          new DescribeTimeToLiveCommand({ TableName: names.inbox }),
        );
        return { status: described?.TimeToLiveStatus ?? 'DISABLED', attribute: described?.AttributeName };
      }),
    hasPointInTimeRecovery: (table) =>
      askTable('DescribeContinuousBackups', names[table], async () => {
        const { ContinuousBackupsDescription: described } = await dynamodb.send(
          new DescribeContinuousBackupsCommand({ TableName: names[table] }),
        );
        return described?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED';
      }),
    async mappings() {
      const { eventsQueueUrl, outboxTable, outboxQueueUrl, deliveriesQueueUrl } = resources;
      return {
        'events queue': (await ofQueue(eventsQueueUrl)).map(factsOf),
        'outbox stream': (await ofStream(outboxTable)).map(factsOf),
        'outbox queue': (await ofQueue(outboxQueueUrl)).map(factsOf),
        ...(deliveriesQueueUrl === undefined
          ? {}
          : { 'deliveries queue': (await ofQueue(deliveriesQueueUrl)).map(factsOf) }),
      };
    },
    async workEnvironment() {
      const [mapping] = await ofQueue(resources.eventsQueueUrl);
      const name = mapping?.FunctionArn;
      if (name === undefined) return undefined;
      return explaining(
        { service: 'lambda', action: 'GetFunctionConfiguration', resource: `function ${name}`, isLocal },
        async () => {
          const client = await lambda();
          const { Environment: environment } = await client.send(
            new GetFunctionConfigurationCommand({ FunctionName: name }),
          );
          return environment?.Variables;
        },
      );
    },
  };
}

async function listMappings(client: Pick<LambdaClient, 'send'>): Promise<readonly EventSourceMappingConfiguration[]> {
  const all: EventSourceMappingConfiguration[] = [];
  let next: string | undefined;
  do {
    const answer = await client.send(
      new ListEventSourceMappingsCommand({ ...(next === undefined ? {} : { Marker: next }) }),
    );
    all.push(...(answer.EventSourceMappings ?? []));
    next = answer.NextMarker;
  } while (next !== undefined && next !== '');
  return all;
}

const factsOf = (mapping: EventSourceMappingConfiguration): MappingFacts => ({
  state: mapping.State ?? 'unknown',
  lastResult: mapping.LastProcessingResult,
  functionArn: mapping.FunctionArn ?? '',
});
