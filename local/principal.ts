import { startStacksServer } from './cloudformation/stacks-server.ts';
import type { DeployedStack } from './deployed-stack.ts';
import type { Faults } from './faults/faults.ts';
import type { SessionCredentials } from './gateway/callers.ts';
import { startGateway } from './gateway/gateway.ts';
import { cloudFormationService } from './gateway/services/cloudformation.ts';
import { dynamoDbService } from './gateway/services/dynamodb.ts';
import { lambdaService } from './gateway/services/lambda.ts';
import { logsService } from './gateway/services/logs.ts';
import { monitoringService } from './gateway/services/monitoring.ts';
import { s3Service } from './gateway/services/s3.ts';
import { secretsManagerService } from './gateway/services/secrets-manager.ts';
import { sqsService } from './gateway/services/sqs.ts';
import type { Access } from './iam/function-role.ts';
import { createIam } from './iam/iam.ts';
import type { Endpoints } from './local-aws.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import type { Place } from './template/physical-names.ts';

/** Someone with a policy of their own, as AWS's IAM would let them do. */
export interface PrincipalOptions {
  /** As the JSON of a policy, every reference resolved. */
  readonly policy: Readonly<Record<string, unknown>>;
  /** What refusals call them. @default 'operator' */
  readonly name?: string;
}

type Deed = Pick<Access, 'action' | 'resource'>;

/** How such a person reaches the services. */
export interface Principal {
  /** Theirs alone: each call is held against their policy, and queue URLs among the stack's outputs are theirs too. */
  readonly endpoints: Endpoints;
  readonly credentials: SessionCredentials;
  /** What was allowed, each once. */
  readonly used: readonly Deed[];
  /** What was refused, each once. */
  readonly denied: readonly Deed[];
  /** What goes wrong with their calls. */
  readonly faults: Faults;
  /** Frees the ports; the end of local AWS does it as well. */
  stop(): Promise<void>;
}

export interface PrincipalDeps {
  readonly place: Place;
  readonly accessKeyId: string;
  /** Those of people, which know no policy. */
  readonly endpoints: Endpoints;
  readonly secrets: Pick<SecretStore, 'find'>;
  readonly stack: () => DeployedStack;
  /** Told of a call that nothing here can judge. */
  readonly onTrouble: (text: string) => void;
}

/** @throws Problem for a policy that IAM would not take. */
export async function startPrincipal(deps: PrincipalDeps, options: PrincipalOptions): Promise<Principal> {
  const { place, accessKeyId, endpoints, stack } = deps;
  const { policy, name = 'operator' } = options;
  const iam = createIam(place, () => {});
  await iam.replace([
    {
      functionKey: name,
      functionName: name,
      roleName: name,
      logGroup: '',
      policies: [{ name, document: policy }],
    },
  ]);

  const stacks = await startStacksServer({
    accessKeyId,
    stack,
    outputs: () => stack().outputs(gateway.endpoints['sqs']),
  });
  const gateway = await startGateway({
    services: [
      cloudFormationService(place, stacks.url),
      dynamoDbService(place, endpoints.dynamodb),
      lambdaService(place, endpoints.lambda),
      logsService(place, endpoints.logs),
      monitoringService(endpoints.monitoring),
      s3Service(endpoints.s3),
      secretsManagerService(place, endpoints.secretsmanager, deps.secrets),
      sqsService(place, endpoints.sqs),
    ],
    accessKeyId,
    iam,
    onTrouble: (_, text) => deps.onTrouble(text),
  });
  const { credentials } = gateway.callers.admit({ functionKey: name, instanceId: name });

  const deeds = (accesses: readonly Access[]): readonly Deed[] =>
    accesses.map(({ action, resource }) => ({ action, resource }));
  return {
    endpoints: { ...endpoints, ...gateway.endpoints },
    credentials,
    faults: gateway.faults,
    get used() {
      return deeds(iam.used);
    },
    get denied() {
      return deeds(iam.denied);
    },
    async stop() {
      await gateway.close();
      await stacks.close();
    },
  };
}
