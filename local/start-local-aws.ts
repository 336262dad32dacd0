import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Plugin } from 'esbuild';
import { type Cleanup, createCleanup } from './cleanup.ts';
import { startConsoleServer } from './console/console-server.ts';
import { createDeployment } from './deployment.ts';
import { followChanges, type Notice } from './follow-changes.ts';
import { createFunctionFleet } from './functions/function-fleet.ts';
import { DEFAULT_POOL, type PoolSettings } from './functions/function-pool.ts';
import type { BeforeAnswer } from './functions/instance.ts';
import { createLogFeed } from './functions/log-feed.ts';
import { startGateway } from './gateway/gateway.ts';
import { dynamoDbService } from './gateway/services/dynamodb.ts';
import { secretsManagerService } from './gateway/services/secrets-manager.ts';
import { sqsService } from './gateway/services/sqs.ts';
import { startHttpFront } from './http/http-front.ts';
import { collectWithGrant } from './iam/collect-logs.ts';
import { createIam } from './iam/iam.ts';
import type { LocalAws } from './local-aws.ts';
import { connectEventSources } from './mappings/connect-event-sources.ts';
import { type Guardian, startGuardian } from './processes/guardian.ts';
import { startServices } from './services.ts';
import { sayLostMessages } from './sqs/lost-messages.ts';
import { refuseSecondRunner, removeStateFile, STATE_FILE, stateOf, writeStateFile } from './state-file.ts';
import { createProjectStack } from './synth/project-stack.ts';
import type { BuiltStack, StackSource } from './synth/stack-source.ts';
import { LOCAL_ACCOUNT_ID, LOCAL_REGION } from './template/physical-names.ts';

export interface LocalAwsOptions {
  /** 0 picks a free one. @default 0 */
  readonly port?: number;
  /** A module that exports `sources`, in the place of `lambda/handlers/sources.ts`. */
  readonly sourcesFile?: string;
  /** Settings on top of `cdk.json`, as `-c key=value` gives them to CDK. */
  readonly context?: Readonly<Record<string, string>>;
  /** Keeps tables and secrets here between runs. @default in memory */
  readonly dataDirectory?: string;
  /** A DynamoDB Local that runs already. @default one is started */
  readonly dynamodbEndpoint?: string;
  /** Serves the console page. @default false */
  readonly console?: boolean;
  /** Rebuilds and redeploys when the code changes. @default false */
  readonly watch?: boolean;
  /** Where to say how to reach it; `false` for nowhere. @default `.oncehook/local.json` */
  readonly stateFile?: string | false;
  /** `false` runs what is scheduled on request alone. @default true */
  readonly schedules?: boolean;
  /** Milliseconds before a stream's batch that failed comes again; doubles with each retry. @default 100 */
  readonly streamRetryMs?: number;
  readonly pool?: Partial<PoolSettings>;
  /** Run before those of the build: how a proof run takes a guard out of the code. */
  readonly plugins?: readonly Plugin[];
  /** Where a proof run ends an instance between its work and its answer. */
  readonly beforeAnswer?: BeforeAnswer;
  /** Another stack than the project's. */
  readonly stack?: (place: { readonly workDirectory: string; readonly guardian: Guardian }) => StackSource;
  /** Called with what people may want to know while it starts and runs. */
  readonly onNotice?: (notice: Notice) => void;
}

/**
 * Synthesizes the stack and runs it on this machine, from its own template.
 *
 * Resolves when the first request can be sent. When it cannot start, everything that was
 * started for it has ended before it rejects.
 *
 * @throws Problem for whatever a person can put right.
 */
export async function startLocalAws(options: LocalAwsOptions = {}): Promise<LocalAws> {
  const cleanup = createCleanup();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function start(options: LocalAwsOptions, cleanup: Cleanup): Promise<LocalAws> {
  const { stateFile = STATE_FILE, onNotice = () => {} } = options;
  if (stateFile !== false) await refuseSecondRunner(stateFile);

  const guardian = startGuardian();
  cleanup.add(() => guardian.stop());
  const workDirectory = await mkdtemp(join(tmpdir(), 'oncehook-'));
  guardian.removeAtEnd(workDirectory);

  // The front takes its port first: a port in use should not cost a build to find out.
  const front = await startHttpFront(options.port ?? 0, (name, event) => fleet.invoke(name, event));
  cleanup.add(() => front.close());

  onNotice({ kind: 'progress', text: 'building the functions and the stack, starting DynamoDB' });
  const { dataDirectory, dynamodbEndpoint } = options;
  const stack = (options.stack ?? projectStack(options))({ workDirectory, guardian });
  const [built, services] = await Promise.all([
    stack.build(),
    startServices({ place: PLACE, dataDirectory, dynamodbEndpoint, guardian, cleanup }),
  ]);

  // After the functions and before the server: what is in the queues then is gone with it.
  cleanup.add(async () => {
    const lost = sayLostMessages(await services.sqs.countMessages());
    if (lost !== undefined) onNotice({ kind: 'warning', text: lost });
  });

  const logs = createLogFeed();
  const { credentials, endpoints } = services;
  const sayOfInstance = (instance: { readonly functionKey: string; readonly instanceId: string }, text: string) =>
    logs.write({ ...instance, from: 'platform', text });
  const iam = createIam(PLACE, ({ functionKey, instanceId, message }) =>
    sayOfInstance({ functionKey, instanceId }, `access denied: ${message}`),
  );
  const gateway = await startGateway({
    services: [
      dynamoDbService(PLACE, endpoints.dynamodb),
      sqsService(PLACE, endpoints.sqs),
      secretsManagerService(PLACE, endpoints.secretsmanager, services.secrets),
    ],
    accessKeyId: credentials.accessKeyId,
    iam,
    onTrouble: ({ functionKey, instanceId }, text) => sayOfInstance({ functionKey, instanceId }, text),
  });
  cleanup.add(() => gateway.close());
  cleanup.add(() => eventSources.ended());
  const fleet = createFunctionFleet(
    join(workDirectory, 'code'),
    { ...DEFAULT_POOL, ...options.pool },
    {
      surroundings: { region: PLACE.region, endpoints: gateway.endpoints },
      callers: gateway.callers,
      guardian,
      logs: collectWithGrant(logs, iam, PLACE),
      beforeAnswer: options.beforeAnswer,
    },
  );
  cleanup.add(() => fleet.close());

  // A copy of the credentials, because the client adds a field to those it is given.
  const dynamodb = new DynamoDBClient({
    endpoint: endpoints.dynamodb,
    region: PLACE.region,
    credentials: { ...credentials },
  });
  cleanup.add(() => dynamodb.destroy());
  const streams = new DynamoDBStreamsClient({
    endpoint: endpoints.dynamodb,
    region: PLACE.region,
    credentials: { ...credentials },
  });
  cleanup.add(() => streams.destroy());
  const place = { ...PLACE, sqsUrl: gateway.endpoints['sqs'] ?? '' };
  const eventSources = connectEventSources({
    place,
    dynamodb,
    streams,
    iam,
    invoke: fleet.invoke,
    sqs: services.sqs,
    schedules: options.schedules ?? true,
    positionsFile: dataDirectory === undefined ? undefined : join(dataDirectory, 'stream-positions.json'),
    // Long enough to read a log by; Lambda says no figure.
    firstWaitMs: options.streamRetryMs ?? 100,
    say: (functionKey, text) => sayOfInstance({ functionKey, instanceId: '' }, text),
  });
  // It begins nothing any more; what it has begun ends with the functions.
  cleanup.add(() => eventSources.stop());
  const deployment = createDeployment({
    place,
    dynamodb,
    secrets: services.secrets,
    sqs: services.sqs,
    iam,
    fleet,
    front,
    eventSources,
    onWarning: (text) => onNotice({ kind: 'warning', text }),
  });

  let consoleUrl: string | undefined;
  const aws: LocalAws = {
    apiUrl: front.url,
    get consoleUrl() {
      return consoleUrl;
    },
    region: PLACE.region,
    credentials,
    endpoints,
    get tables() {
      return deployment.tables();
    },
    get queues() {
      return deployment.queues();
    },
    get secrets() {
      return deployment.signingSecrets();
    },
    get signingSecretId() {
      return deployment.signingSecretId();
    },
    logs,
    gateway,
    failure: services.failure,
    invoke: (functionKey, event) => fleet.invokeByKey(functionKey, JSON.stringify(event)),
    fireSchedule: eventSources.fire,
    mappings: eventSources,
    instances: fleet.instances,
    killInstances: fleet.killInstances,
    stop: cleanup.run,
  };

  const sayWhereItIs = (): void => {
    if (stateFile !== false) writeStateFile(stateFile, stateOf(aws));
  };
  async function deploy(stack: BuiltStack): Promise<void> {
    await deployment.deploy(stack);
    sayWhereItIs();
  }

  if (options.console === true) {
    const consoleServer = await startConsoleServer(aws, dynamodb);
    cleanup.add(() => consoleServer.close());
    consoleUrl = consoleServer.url;
  }
  if (stateFile !== false) cleanup.add(() => removeStateFile(stateFile));
  await deploy(built);
  services.secrets.onChange(sayWhereItIs);
  if (options.watch === true) cleanup.add(await followChanges(stack, { redeploy: fleet.redeploy, deploy, onNotice }));
  return aws;
}

const PLACE = { region: LOCAL_REGION, accountId: LOCAL_ACCOUNT_ID };

const projectStack =
  (options: LocalAwsOptions) =>
  (run: { readonly workDirectory: string; readonly guardian: Guardian }): StackSource =>
    createProjectStack({
      ...run,
      sourcesFile: options.sourcesFile,
      context: options.context ?? {},
      plugins: options.plugins,
    });
