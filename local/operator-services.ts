import type { Cleanup } from './cleanup.ts';
import { startStacksServer } from './cloudformation/stacks-server.ts';
import type { DeployedStack } from './deployed-stack.ts';
import { startTablesFront } from './dynamodb/tables-front.ts';
import type { LogFeed } from './functions/log-feed.ts';
import { startLambdaServer } from './lambda/lambda-server.ts';
import type { Endpoints } from './local-aws.ts';
import { startLogsServer } from './logs/logs-server.ts';
import { startMetricsServer } from './monitoring/metrics-server.ts';
import type { Services } from './services.ts';

export interface OperatorServicesDeps {
  readonly services: Services;
  readonly logs: LogFeed;
  readonly stack: () => DeployedStack;
  readonly isPaused: (mappingId: string) => boolean;
  readonly cleanup: Cleanup;
}

/** Starts what only people ask, beside the services that functions call as well; all of it is for people. */
export async function startOperatorServices(deps: OperatorServicesDeps): Promise<Endpoints> {
  const { services, logs, stack, isPaused, cleanup } = deps;
  const { accessKeyId } = services.credentials;
  const target = services.endpoints.dynamodb;
  const started = {
    dynamodb: await startTablesFront({ accessKeyId, target, tables: () => stack().tables }),
    cloudformation: await startStacksServer({ accessKeyId, stack, outputs: () => stack().outputs() }),
    logs: await startLogsServer({ accessKeyId, logs, logGroups: () => stack().logGroups }),
    monitoring: await startMetricsServer({ accessKeyId, logs, countVisible: services.sqs.countVisible }),
    lambda: await startLambdaServer({ accessKeyId, stack, isPaused }),
  };
  for (const server of Object.values(started)) cleanup.add(() => server.close());
  return {
    ...services.endpoints,
    dynamodb: started.dynamodb.url,
    cloudformation: started.cloudformation.url,
    logs: started.logs.url,
    monitoring: started.monitoring.url,
    lambda: started.lambda.url,
  };
}
