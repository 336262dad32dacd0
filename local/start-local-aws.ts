import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type Cleanup, createCleanup } from './cleanup.ts';
import { startConsoleServer } from './console/console-server.ts';
import { createDeployment } from './deployment.ts';
import { followChanges } from './follow-changes.ts';
import { DEFAULT_POOL } from './functions/function-pool.ts';
import { startHttpFront } from './http/http-front.ts';
import type { LocalAws } from './local-aws.ts';
import type { LocalAwsOptions } from './local-aws-options.ts';
import { connectEventSources } from './mappings/connect-event-sources.ts';
import { startOperatorServices } from './operator-services.ts';
import { startPlatform } from './platform.ts';
import { type Principal, type PrincipalOptions, startPrincipal } from './principal.ts';
import { type Guardian, startGuardian } from './processes/guardian.ts';
import { startServices } from './services.ts';
import { sayLostMessages } from './sqs/lost-messages.ts';
import { refuseSecondRunner, removeStateFile, STATE_FILE, stateOf, writeStateFile } from './state-file.ts';
import { createProjectStack } from './synth/project-stack.ts';
import type { BuiltStack, StackSource } from './synth/stack-source.ts';
import { LOCAL_ACCOUNT_ID, LOCAL_REGION } from './template/physical-names.ts';

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

  const { credentials } = services;
  const { logs, iam, gateway, fleet, sayOf } = await startPlatform({
    place: PLACE,
    services,
    codeDirectory: join(workDirectory, 'code'),
    pool: options.pool ?? {},
    beforeAnswer: options.beforeAnswer,
    guardian,
    cleanup,
  });
  cleanup.add(() => eventSources.ended());
  cleanup.add(() => fleet.close());

  // A copy of the credentials each time, because a client adds a field to those it is given.
  const access = () => ({
    endpoint: services.endpoints.dynamodb,
    region: PLACE.region,
    credentials: { ...credentials },
  });
  const dynamodb = new DynamoDBClient(access());
  cleanup.add(() => dynamodb.destroy());
  const streams = new DynamoDBStreamsClient(access());
  cleanup.add(() => streams.destroy());
  const place = { ...PLACE, sqsUrl: gateway.endpoints['sqs'] ?? '' };
  const eventSources = connectEventSources({
    place,
    dynamodb,
    streams,
    iam,
    invoke: fleet.invoke,
    sqs: services.sqs,
    mostBatches: Math.min(MOST_BATCHES, options.pool?.maxInstances ?? MOST_BATCHES),
    schedules: options.schedules ?? true,
    positionsFile: dataDirectory === undefined ? undefined : join(dataDirectory, 'stream-positions.json'),
    // Long enough to read a log by; Lambda says no figure.
    firstWaitMs: options.streamRetryMs ?? 100,
    say: (functionKey, text) => sayOf({ functionKey, instanceId: '' }, text),
  });
  // It begins nothing any more; what it has begun ends with the functions.
  cleanup.add(() => eventSources.stop());
  const deployment = createDeployment({
    place,
    peoplesPlace: { ...PLACE, sqsUrl: services.sqs.url, apiUrl: front.url },
    dynamodb,
    secrets: services.secrets,
    sqs: services.sqs,
    s3: services.s3,
    iam,
    fleet,
    front,
    eventSources,
    onWarning: (text) => onNotice({ kind: 'warning', text }),
  });

  const endpoints = await startOperatorServices({
    services,
    logs,
    stack: deployment.stack,
    isPaused: eventSources.isPaused,
    cleanup,
  });
  async function asPrincipal(principal: PrincipalOptions): Promise<Principal> {
    const started = await startPrincipal(
      {
        place: PLACE,
        accessKeyId: credentials.accessKeyId,
        endpoints,
        secrets: services.secrets,
        stack: deployment.stack,
        onTrouble: (text) => onNotice({ kind: 'warning', text }),
      },
      principal,
    );
    cleanup.add(started.stop);
    return started;
  }

  let consoleUrl: string | undefined;
  const aws: LocalAws = {
    apiUrl: front.url,
    get consoleUrl() {
      return consoleUrl;
    },
    region: PLACE.region,
    credentials,
    endpoints,
    get stackName() {
      return deployment.stack().name;
    },
    get tables() {
      return deployment.tables();
    },
    get queues() {
      return deployment.queues();
    },
    get buckets() {
      return deployment.buckets();
    },
    get secrets() {
      return deployment.signingSecrets();
    },
    get signingSecretId() {
      return deployment.signingSecretId();
    },
    logs,
    gateway,
    asPrincipal,
    managedPolicy: (idOrArn) => deployment.stack().managedPolicy(idOrArn),
    failure: services.failure,
    invoke: (functionKey, event) => fleet.invokeByKey(functionKey, JSON.stringify(event)),
    fireSchedule: eventSources.fire,
    mappings: eventSources,
    instances: fleet.instances,
    killInstances: fleet.killInstances,
    restartDynamoDb: services.restartDynamoDb,
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

export type { LocalAwsOptions };

/** Half of the instances that a function may have: more than those would only stand in line. */
const MOST_BATCHES = DEFAULT_POOL.maxInstances / 2;

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
