/**
 * A deployment in AWS, or in local AWS. The SDK is large, so each client is loaded when a verb first needs it.
 */
import type { Deployment, QueueName } from '../../deployment/deployment.ts';
import type { Place } from '../../deployment/place.ts';
import { type Resources, resourcesOfLocal, resourcesOfStack } from '../../deployment/resources.ts';
import { Refusal } from '../../refusal.ts';
import { clientConfig } from './client-config.ts';

/** @throws Refusal when there is no such stack, or it is none of Oncehook's. */
export async function openDeployment(place: Place): Promise<Deployment> {
  const isLocal = place.kind === 'local';
  const resources = await resourcesOf(place);

  const dynamodb = once(async () => {
    const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
    return new DynamoDBClient(clientConfig(place, 'dynamodb'));
  });
  const sqs = once(async () => {
    const { SQSClient } = await import('@aws-sdk/client-sqs');
    return new SQSClient(clientConfig(place, 'sqs'));
  });
  const lambda = once(async () => {
    const { LambdaClient } = await import('@aws-sdk/client-lambda');
    return new LambdaClient(clientConfig(place, 'lambda'));
  });

  return {
    apiUrl: resources.apiUrl,
    isLocal,
    hasDeliveries: resources.deliveriesQueueUrl !== undefined,
    inbox: once(async () => {
      const { createOperatorInbox } = await import('./operator-inbox.ts');
      return createOperatorInbox({ client: await dynamodb(), table: resources.inboxTable, isLocal });
    }),
    outbox: once(async () => {
      const { createOperatorOutbox } = await import('./operator-outbox.ts');
      return createOperatorOutbox({ client: await dynamodb(), table: resources.outboxTable, isLocal });
    }),
    async queue(name) {
      const { createOperatorQueue } = await import('./operator-queue.ts');
      return createOperatorQueue({ client: await sqs(), url: urlOf(resources, name), isLocal });
    },
    bodies: once(async () => {
      const [{ S3Client }, { createStoredBodies }] = await Promise.all([
        import('@aws-sdk/client-s3'),
        import('./stored-bodies.ts'),
      ]);
      return createStoredBodies(new S3Client(clientConfig(place, 's3')), isLocal);
    }),
    metrics: once(async () => {
      const [{ CloudWatchClient }, { createCloudWatchMetrics }] = await Promise.all([
        import('@aws-sdk/client-cloudwatch'),
        import('./cloudwatch-metrics.ts'),
      ]);
      return createCloudWatchMetrics(new CloudWatchClient(clientConfig(place, 'cloudwatch')), isLocal);
    }),
    inspection: once(async () => {
      const { createInspection } = await import('./inspection.ts');
      return createInspection({ dynamodb: await dynamodb(), lambda, resources, isLocal });
    }),
    secrets: once(async () => {
      const { createSecretsManagerClient, createSecretsManagerStore } = await import('../secrets-manager.ts');
      const secretPlace = {
        isLocal,
        secretId: resources.signingSecretId,
        endpoint: isLocal ? place.state.secretsManagerUrl : undefined,
        region: isLocal ? place.state.region : place.region,
        credentials: isLocal ? place.state.credentials : undefined,
      };
      return createSecretsManagerStore(createSecretsManagerClient(secretPlace), secretPlace);
    }),
  };
}

async function resourcesOf(place: Place): Promise<Resources> {
  if (place.kind === 'local') return resourcesOfLocal(place.state);
  const { readStackOutputs } = await import('./stack-outputs.ts');
  return resourcesOfStack(place.stack, await readStackOutputs(clientConfig(place, 'cloudformation'), place.stack));
}

const URLS = {
  events: 'eventsQueueUrl',
  eventsDlq: 'eventsDlqUrl',
  outbox: 'outboxQueueUrl',
  outboxDlq: 'outboxDlqUrl',
  deliveries: 'deliveriesQueueUrl',
  deliveriesDlq: 'deliveriesDlqUrl',
} as const satisfies Readonly<Record<QueueName, keyof Resources>>;

function urlOf(resources: Resources, name: QueueName): string {
  const url = resources[URLS[name]];
  if (url !== undefined) return url;
  throw new Refusal('it has no deliveries queue: only a stack with the setting deliverTo has one');
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}
