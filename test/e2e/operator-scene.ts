import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  type MessageAttributeValue,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import { systemChance, systemClock } from '../../lambda/adapters/system.ts';
import { METRIC_NAMESPACE, type MetricName } from '../../lambda/contract.ts';
import { inboxKey } from '../../lambda/core/inbox-key.ts';
import { seconds } from '../../lambda/core/time.ts';
import { run } from '../../lambda/operator/command-line/run.ts';
import { openDeployment } from '../../lambda/operator/outside/aws/open-deployment.ts';
import { loadSources } from '../../lambda/operator/outside/files.ts';
import { createPost } from '../../lambda/operator/outside/http-post.ts';
import { callerEnvironment, type LocalCaller } from '../../local/caller-environment.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import type { Principal } from '../../local/principal.ts';
import { createProjectStack } from '../../local/synth/project-stack.ts';
import type { StackSource } from '../../local/synth/stack-source.ts';
import { resourcesOf } from '../../local/template/resource-types.ts';
import type { Template } from '../../local/template/template.ts';
import { readShown, type Shown, type TemplateAlarm, valuesIn } from '../support/shown-metrics.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type CliRun, runCli } from '../unit/operator/cli-process.ts';
import { type Ledger, startLedger } from './ledger.ts';
import { type Answer, type SignedDelivery, send, standardDelivery } from './official-senders.ts';

const LAMBDA = join(import.meta.dirname, '../../lambda');

const sourcesModule = (ledgerUrl: string): string => `
  import { defineSources, standardWebhooks } from ${JSON.stringify(join(LAMBDA, 'oncehook.ts'))};
  import { tables } from ${JSON.stringify(join(LAMBDA, 'handlers/tables.ts'))};

  const credit = async (event, work) => {
    work.write({ Update: {
      TableName: tables.accounts,
      Key: { accountId: event.id },
      UpdateExpression: 'ADD entries :one',
      ExpressionAttributeValues: { ':one': 1 },
    } });
    work.emit('receipt.requested', { account: event.id });
  };
  const book = async (event, work) => {
    const { ok, status } = await fetch(${JSON.stringify(ledgerUrl)});
    if (!ok) throw new Error('the ledger answered ' + status);
    await credit(event, work);
  };

  export const sources = defineSources({
    counted: { provider: standardWebhooks(), on: { paid: credit } },
    shop: {
      provider: standardWebhooks(),
      on: {
        paid: credit,
        booked: book,
        moved: {
          handle: async () => {},
          order: { resource: (event) => event.body.data.shelf, sequence: (event) => event.body.data.sequence },
        },
      },
    },
  });
`;

export const PATIENCE = { timeout: 60_000, interval: 50 };
export const HOUR_MS = 3_600_000;

export let folder: string;
let sourcesFile: string;
export let ledger: Ledger;
export let aws: LocalAws;
let template: Template;
export let shown: Shown;
let sqs: SQSClient;
export let tables: DynamoDBDocumentClient;
/** Whoever has the stack's operator policy. */
export let operator: Principal;
let everybody: DynamoDBClient;

/** Starts a local AWS of its own; everything else here is of that one. */
export async function startScene(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  sourcesFile = join(folder, 'sources.ts');
  ledger = await startLedger();
  await writeFile(sourcesFile, sourcesModule(ledger.url));
  const context = {
    // As long as a process of the CLI may take to start on a busy machine.
    receiveTimeoutSeconds: '25',
    workTimeoutSeconds: '5',
    maxAttempts: '2',
    retryAfterSeconds: '1',
    joinMs: '300',
  };
  aws = await startTestAws({
    schedules: false,
    streamRetryMs: 5,
    pool: { maxInstances: 4 },
    stack: (place) => remembering(createProjectStack({ ...place, sourcesFile, context })),
  });
  shown = readShown(template, { region: aws.region, accountId: '000000000000' });
  const { endpoints, region, credentials } = aws;
  sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials: { ...credentials } });
  everybody = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: { ...credentials } });
  tables = DynamoDBDocumentClient.from(everybody);
  operator = await aws.asPrincipal({ policy: operatorPolicy() });
}

export async function stopScene(): Promise<void> {
  sqs?.destroy();
  everybody?.destroy();
  await aws?.stop();
  await ledger?.close();
  await rm(folder, { recursive: true, force: true });
}

/** The stack as it is, whose template the tests read too. */
const remembering = (stack: StackSource): StackSource => ({
  ...stack,
  async build() {
    const built = await stack.build();
    template = built.template;
    return built;
  },
});

/** The one managed policy of the stack. */
export function operatorPolicy(): Readonly<Record<string, unknown>> {
  const [policy] = resourcesOf(template, 'AWS::IAM::ManagedPolicy');
  return aws.managedPolicy(policy?.logicalId ?? '');
}

export const secretOf = (source: string): string => aws.secrets[source]?.[0] ?? '';
export const deliver = (source: string, delivery: SignedDelivery): Promise<Answer> =>
  send(aws.apiUrl, source, delivery);
export const ofShop = (id: string, type: string, data: object = {}, happenedAt?: Date): SignedDelivery =>
  standardDelivery(secretOf('shop'), id, type, data, happenedAt);

export type Who = Omit<LocalCaller, 'region'>;

/** The real program, as somebody who was given credentials. */
export function cli(who: Who, args: readonly string[], stdin = ''): Promise<CliRun> {
  return runCli(args, {
    stdin,
    env: {
      ...callerEnvironment({ ...who, region: aws.region }),
      ONCEHOOK_SOURCES: sourcesFile,
      ONCEHOOK_OPERATOR: 'ada',
      ONCEHOOK_STATE_FILE: join(folder, 'nothing-runs.json'),
    },
  });
}
export const onStack = (...args: readonly string[]): readonly string[] => [...args, '--stack', aws.stackName];
export const jsonLines = ({ stdout }: Pick<CliRun, 'stdout'>): readonly Readonly<Record<string, unknown>>[] =>
  stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** The lines of the functions, from the n-th line of all on. */
export const linesFrom = (n = 0) =>
  aws.logs.entries.flatMap((entry) => (entry.from === 'function' && entry.n > n ? [entry.fields] : []));
export const sumOf = (name: MetricName, source?: string): number =>
  valuesIn(linesFrom(), {
    namespace: METRIC_NAMESPACE,
    name,
    dimensions: source === undefined ? {} : { source },
    unit: undefined,
  }).reduce((sum, { value }) => sum + value, 0);

export async function rowOf(eventId: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { Item: row } = await tables.send(
    new GetCommand({ TableName: aws.tables['inbox'], Key: { id: inboxKey('shop', eventId) }, ConsistentRead: true }),
  );
  return row;
}

export const entriesOf = async (accountId: string): Promise<unknown> =>
  (await tables.send(new GetCommand({ TableName: aws.tables['accounts'], Key: { accountId }, ConsistentRead: true })))
    .Item?.['entries'];

export const alarm = (name: string): TemplateAlarm => {
  const found = shown.alarms.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no alarm ${name}`);
  return found;
};
export const valuesOf = (each: TemplateAlarm): readonly number[] =>
  valuesIn(linesFrom(), each.metric).map(({ value }) => value);

/** What CloudWatch says of the metric of an alarm now. */
export async function measured({ metric, statistic, periodSeconds }: TemplateAlarm): Promise<readonly number[]> {
  const { endpoints, region, credentials } = aws;
  const client = new CloudWatchClient({ endpoint: endpoints.monitoring, region, credentials: { ...credentials } });
  const now = Date.now();
  const { MetricDataResults: [result] = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(now - 1000 * periodSeconds),
      EndTime: new Date(now + 60_000),
      MetricDataQueries: [
        {
          Id: 'asked',
          MetricStat: {
            Metric: {
              Namespace: metric.namespace,
              MetricName: metric.name,
              Dimensions: Object.entries(metric.dimensions).map(([Name, Value]) => ({ Name, Value })),
            },
            Period: periodSeconds,
            Stat: statistic,
          },
        },
      ],
    }),
  );
  client.destroy();
  return result?.Values ?? [];
}

type Attributes = Readonly<Record<string, MessageAttributeValue>>;

const text = (value: string): MessageAttributeValue => ({ DataType: 'String', StringValue: value });

export async function put(queueUrl: string | undefined, body: string, attributes: Attributes = {}): Promise<void> {
  await sqs.send(
    new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, MessageAttributes: { ...attributes } }),
  );
}

export const owedAttributes = (id: string): Attributes => ({
  id: text(id),
  topic: text('receipt.requested'),
  createdAt: text(new Date().toISOString()),
});

/** Writes the row of an owed message as a failed sending leaves it. */
export async function owe(id: string, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const at = Date.now() - HOUR_MS;
  const row = { id, topic: 'receipt.requested', payload: '{"account":"ada"}', createdAtMs: at, dueAtMs: at };
  await tables.send(
    new PutCommand({ TableName: aws.tables['outbox'], Item: { ...row, state: 'retry', attempts: 0, ...changes } }),
  );
}

/** All that a verb could change. */
export async function everything() {
  const rows = await Promise.all(
    Object.values(aws.tables).map(async (name) => {
      const { Items: items = [] } = await tables.send(new ScanCommand({ TableName: name, ConsistentRead: true }));
      return items.map((item) => JSON.stringify(item)).toSorted();
    }),
  );
  const counts = await Promise.all(
    Object.entries(aws.queues).map(async ([key, url]) => {
      const { Attributes: attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
      );
      const count = Object.entries(attributes).reduce(
        (sum, [name, value]) => (name.startsWith('ApproximateNumberOfMessages') ? sum + Number(value) : sum),
        0,
      );
      return [key, count];
    }),
  );
  return { rows, counts: Object.fromEntries(counts), secrets: aws.secrets };
}

/** Waits until the functions have sent and consumed what they owe and, unless `work` is paused, all that is queued. */
export const quiet = (isWorking = true) =>
  vi.waitFor(async () => {
    const { rows, counts } = await everything();
    expect(rows.flat().filter((row) => JSON.parse(row).state === 'new')).toEqual([]);
    expect(counts).toMatchObject({ outbox: 0, ...(isWorking ? { events: 0 } : {}) });
  }, PATIENCE);

/** Runs a verb in this process, as somebody who was given credentials: a process of its own each would take long. */
export async function operate(who: Who, args: readonly string[], stdin = '') {
  for (const [name, value] of Object.entries(callerEnvironment({ ...who, region: aws.region })))
    vi.stubEnv(name, value);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  try {
    const code = await run(args, {
      terminal: {
        print: say,
        note: say,
        write: async () => {},
        isInteractive: false,
        readInput: async () => Buffer.from(stdin),
        ask: async () => '',
        askHidden: async () => '',
      },
      clock: systemClock,
      chance: systemChance,
      post: createPost(seconds(30)),
      loadSources: () => loadSources(sourcesFile),
      readLocalState: () => undefined,
      readFile: async () => Buffer.from(''),
      writeNewFile: async () => {},
      openSecretStore: () => Promise.reject(new Error('a secret store without a stack')),
      openDeployment,
      operatorName: () => 'ada',
      untilInterrupted: (work) => work(new AbortController().signal),
    });
    return { code, said: said.join('\n') };
  } finally {
    vi.unstubAllEnvs();
  }
}
