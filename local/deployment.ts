import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DeployedStack, readDeployedStack } from './deployed-stack.ts';
import { createTables, tableExists } from './dynamodb/create-tables.ts';
import type { FunctionFleet } from './functions/function-fleet.ts';
import type { HttpFront } from './http/http-front.ts';
import type { Authorizer } from './iam/iam.ts';
import type { EventSources } from './mappings/event-sources.ts';
import type { ObjectStore } from './s3/object-store.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import { readSigningSecrets, type SigningSecrets, seedSigningSecrets } from './secrets/signing-secrets.ts';
import type { SqsServer } from './sqs/sqs-server.ts';
import { readStackNames, type StackNames } from './stack-names.ts';
import type { BuiltStack } from './synth/stack-source.ts';
import type { Place } from './template/physical-names.ts';
import { readStackSpec } from './template/stack-spec.ts';

export interface DeploymentDeps {
  /** As the functions see it. */
  readonly place: Place;
  /** As people see it. */
  readonly peoplesPlace: Place;
  readonly dynamodb: DynamoDBClient;
  readonly secrets: SecretStore;
  readonly sqs: Pick<SqsServer, 'createQueues' | 'urlOf'>;
  readonly s3: Pick<ObjectStore, 'createBuckets'>;
  readonly iam: Pick<Authorizer, 'replace'>;
  readonly fleet: FunctionFleet;
  readonly front: HttpFront;
  readonly eventSources: Pick<EventSources, 'replace'>;
  readonly onWarning: (text: string) => void;
}

/** The stack as it stands here now. */
export interface Deployment {
  /**
   * Brings what runs here to what the template says. Tables, queues, buckets and secrets are only ever added,
   * as a deploy of a stack that retains them does.
   *
   * @throws Problem when the template asks for what cannot run here; what runs stays.
   */
  deploy(stack: BuiltStack): Promise<void>;
  /** As people see it. @throws Error before the first deploy. */
  stack(): DeployedStack;
  tables(): Readonly<Record<string, string>>;
  /** URLs for people and tests, past the gateway. */
  queues(): Readonly<Record<string, string>>;
  buckets(): Readonly<Record<string, string>>;
  signingSecrets(): SigningSecrets;
  /** `undefined` when the stack has none. */
  signingSecretId(): string | undefined;
}

export function createDeployment({
  place,
  peoplesPlace,
  dynamodb,
  secrets,
  sqs,
  s3,
  iam,
  fleet,
  front,
  eventSources,
  onWarning,
}: DeploymentDeps): Deployment {
  let deployed: DeployedStack | undefined;
  let names: StackNames = { tables: {}, queues: {}, buckets: {}, signingSecretId: undefined };

  async function warnOfMissingTables(created: readonly string[]): Promise<void> {
    for (const [key, name] of Object.entries(names.tables)) {
      if (created.includes(name) || (await tableExists(dynamodb, name))) continue;
      onWarning(`table ${key} is imported: create ${name} with its keys in the DynamoDB here, or its handlers fail`);
    }
  }

  return {
    async deploy({ template, sources }) {
      const spec = readStackSpec(template, place);
      await createTables(dynamodb, spec.tables);
      await sqs.createQueues(spec.queues);
      await s3.createBuckets(spec.buckets);
      names = readStackNames(spec);
      await warnOfMissingTables(spec.tables.map(({ name }) => name));
      for (const secret of spec.secrets) secrets.create(secret.name, secret.arn);
      if (names.signingSecretId !== undefined) seedSigningSecrets(secrets, names.signingSecretId, sources);
      await iam.replace(spec.roles);
      await fleet.deploy(spec.functions);
      front.replace(spec.httpApi);
      await eventSources.replace(spec.mappings, spec.schedules);
      deployed = readDeployedStack(template, peoplesPlace, Date.now(), deployed);
    },
    stack() {
      if (deployed === undefined) throw new Error('no stack is deployed yet');
      return deployed;
    },
    tables: () => names.tables,
    queues: () => Object.fromEntries(Object.entries(names.queues).map(([key, name]) => [key, sqs.urlOf(name)])),
    buckets: () => names.buckets,
    signingSecretId: () => names.signingSecretId,
    signingSecrets: () =>
      names.signingSecretId === undefined ? {} : readSigningSecrets(secrets, names.signingSecretId),
  };
}
