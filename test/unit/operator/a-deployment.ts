import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { MetricName } from '../../../lambda/contract.ts';
import { ENV } from '../../../lambda/contract.ts';
import type { Deployment } from '../../../lambda/operator/deployment/deployment.ts';
import type { Inspection } from '../../../lambda/operator/deployment/inspection-port.ts';
import type { MetricPeriod } from '../../../lambda/operator/deployment/metrics-port.ts';
import { createOperatorInbox } from '../../../lambda/operator/outside/aws/operator-inbox.ts';
import { createOperatorOutbox } from '../../../lambda/operator/outside/aws/operator-outbox.ts';
import { createMemoryStage, type DynamoStage, TABLES } from '../../support/dynamodb-stage.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createMemoryBodies } from '../../support/memory-bodies.ts';
import { createProtocol } from '../../support/protocol.ts';
import { aQueue } from './a-queue.ts';
import { aSecretStore } from './a-secret-store.ts';
import { anOperator } from './an-operator.ts';

/** Somebody at the CLI before a deployment in memory, in which events can be processed as in the real one. */
export async function anOperatorOfADeployment({
  isFifo = false,
  hasDeliveries = false,
  typed,
}: {
  isFifo?: boolean;
  hasDeliveries?: boolean;
  typed?: string;
} = {}) {
  const clock = createManualClock();
  const stage = await createMemoryStage();
  const protocol = createProtocol(stage, { clock });
  const client = describing(stage);
  const { bodies, stored: storedBodies } = createMemoryBodies();
  const secrets = aSecretStore(
    JSON.stringify({
      stripe: ['whsec_0123456789abcdef'],
      github: ['a secret of github, long enough'],
      bazaar: [`whsec_${Buffer.alloc(24, 7).toString('base64')}`],
    }),
  );
  const queues = {
    events: aQueue(clock),
    eventsDlq: aQueue(clock),
    outbox: aQueue(clock, isFifo),
    outboxDlq: aQueue(clock, isFifo),
    deliveries: aQueue(clock, isFifo),
    deliveriesDlq: aQueue(clock, isFifo),
  };
  const asked: { source: string | undefined; period: MetricPeriod }[] = [];
  const points = new Map<MetricName, readonly number[]>();
  const inspection = healthyInspection();
  const deployment: Deployment = {
    apiUrl: 'https://api.example.test',
    isLocal: false,
    hasDeliveries,
    inbox: async () => createOperatorInbox({ client, table: TABLES.inbox, isLocal: false }),
    outbox: async () => createOperatorOutbox({ client, table: TABLES.outbox, isLocal: false }),
    queue: async (name) => queues[name],
    bodies: async () => bodies,
    metrics: async () => ({
      async read(wishes, source, period) {
        asked.push({ source, period });
        return wishes.map(({ name }) => points.get(name) ?? []);
      },
    }),
    inspection: async () => inspection,
    secrets: async () => secrets,
  };
  const operate = (changes: Parameters<typeof anOperator>[0] = {}) => {
    const operator = anOperator({
      openDeployment: async () => deployment,
      clock,
      ...(typed === undefined ? {} : { typed }),
      ...changes,
    });
    return {
      ...operator,
      run: (...args: readonly string[]) => operator.run(...args, '--stack', 'Oncehook-test'),
    };
  };
  return { clock, stage, protocol, queues, secrets, storedBodies, asked, points, inspection, deployment, operate };
}

/** The stage, which also says how large its tables are. */
function describing(stage: DynamoStage): Pick<DynamoDBClient, 'send'> {
  const send = async (command: never): Promise<unknown> => {
    if ((command as object) instanceof DescribeTableCommand) {
      return { Table: { ItemCount: 20_000, TableSizeBytes: 20_000 * 800 } };
    }
    return stage.client.send(command);
  };
  return { send: send as never };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A deployment with nothing wrong; a test replaces what it is about. */
const healthyInspection = (): Writable<Inspection> => ({
  table: async () => ({ replicaRegions: [] }),
  timeToLive: async () => ({ status: 'ENABLED', attribute: 'expiresAt' }),
  hasPointInTimeRecovery: async () => true,
  mappings: async () => ({ 'events queue': [ENABLED], 'outbox stream': [ENABLED], 'outbox queue': [] }),
  workEnvironment: async () => ({ [ENV.dedupWindowSeconds]: String(90 * 86_400) }),
});

export const ENABLED = { state: 'Enabled', lastResult: 'OK', functionArn: 'arn:aws:lambda:us-east-1:1:function:work' };
