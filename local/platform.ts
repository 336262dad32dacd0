import type { Cleanup } from './cleanup.ts';
import { createFunctionFleet, type FunctionFleet } from './functions/function-fleet.ts';
import { DEFAULT_POOL, type PoolSettings } from './functions/function-pool.ts';
import type { BeforeAnswer } from './functions/instance.ts';
import { createLogFeed, type LogFeed } from './functions/log-feed.ts';
import { type RunningGateway, startGateway } from './gateway/gateway.ts';
import { dynamoDbService } from './gateway/services/dynamodb.ts';
import { s3Service } from './gateway/services/s3.ts';
import { secretsManagerService } from './gateway/services/secrets-manager.ts';
import { sqsService } from './gateway/services/sqs.ts';
import { collectWithGrant } from './iam/collect-logs.ts';
import { type Authorizer, createIam, type Iam } from './iam/iam.ts';
import type { Guardian } from './processes/guardian.ts';
import type { Services } from './services.ts';
import type { Place } from './template/physical-names.ts';

export interface PlatformOptions {
  readonly place: Place;
  readonly services: Services;
  /** Gets copies of the bundles. */
  readonly codeDirectory: string;
  readonly pool: Partial<PoolSettings>;
  readonly beforeAnswer: BeforeAnswer | undefined;
  readonly guardian: Guardian;
  readonly cleanup: Cleanup;
}

/** What functions run on. */
export interface Platform {
  readonly logs: LogFeed;
  readonly iam: Iam & Authorizer;
  readonly gateway: RunningGateway;
  /** To be closed by whoever starts the platform, at its time. */
  readonly fleet: FunctionFleet;
  /** Writes to the log what people should know of a function, or of one instance. */
  sayOf(instance: { readonly functionKey: string; readonly instanceId: string }, text: string): void;
}

/** Starts the gateway before the services, and makes ready for functions whose calls go through it. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { place, services, guardian, cleanup } = options;
  const { credentials, endpoints } = services;
  const logs = createLogFeed();
  const sayOf: Platform['sayOf'] = ({ functionKey, instanceId }, text) =>
    logs.write({ functionKey, instanceId, from: 'platform', text });
  const iam = createIam(place, (denial) => sayOf(denial, `access denied: ${denial.message}`));
  const gateway = await startGateway({
    services: [
      dynamoDbService(place, endpoints.dynamodb),
      sqsService(place, endpoints.sqs),
      s3Service(endpoints.s3),
      secretsManagerService(place, endpoints.secretsmanager, services.secrets),
    ],
    accessKeyId: credentials.accessKeyId,
    iam,
    onTrouble: sayOf,
  });
  cleanup.add(() => gateway.close());
  const fleet = createFunctionFleet(
    options.codeDirectory,
    { ...DEFAULT_POOL, ...options.pool },
    {
      surroundings: { region: place.region, endpoints: gateway.endpoints },
      callers: gateway.callers,
      guardian,
      logs: collectWithGrant(logs, iam, place),
      beforeAnswer: options.beforeAnswer,
    },
  );
  return { logs, iam, gateway, fleet, sayOf };
}
