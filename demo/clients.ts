import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LocalAws } from '../local/local-aws.ts';

/** Clients past the gateway, for whoever looks into tables and queues. */
export interface Clients {
  readonly dynamodb: DynamoDBDocumentClient;
  readonly sqs: SQSClient;
  destroy(): void;
}

export function createClients({ endpoints, region, credentials }: LocalAws): Clients {
  // A copy of the credentials each time, because a client adds a field to those it is given.
  const dynamodb = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: { ...credentials } });
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials: { ...credentials } });
  return {
    dynamodb: DynamoDBDocumentClient.from(dynamodb),
    sqs,
    destroy() {
      dynamodb.destroy();
      sqs.destroy();
    },
  };
}
