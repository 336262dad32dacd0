import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Caller } from '../../../../local/gateway/callers.ts';
import { type RunningGateway, startGateway } from '../../../../local/gateway/gateway.ts';
import { dynamoDbService } from '../../../../local/gateway/services/dynamodb.ts';
import { closeServer, listenOnLoopback } from '../../../../local/http/loopback-server.ts';
import type { FunctionRole } from '../../../../local/iam/function-role.ts';
import { createIam, type Denial } from '../../../../local/iam/iam.ts';
import { A_PLACE } from '../fixtures/a-template.ts';
import { allow, aRole } from '../iam/a-role.ts';

/** A request as the service behind the gateway got it. */
export interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface TestGateway {
  readonly gateway: RunningGateway;
  /** Of the service, past the gateway. */
  readonly serviceUrl: string;
  /** What has come through to the service. */
  readonly arrived: Arrived[];
  /** How many connections the service was opened. */
  connections(): number;
  /** What the service answers from now on. */
  answerWith(answer: { status?: number; headers?: Record<string, string>; body: Buffer | string }): void;
  readonly troubles: string[];
  readonly denials: Denial[];
  admit(instanceId?: string): Caller;
  /** The SDK's client with an instance's credentials; it tries once. */
  clientOf(caller: Caller): DynamoDBClient;
  stopService(): Promise<void>;
  close(): Promise<void>;
}

/** May do everything that the tests do, on every table. */
const GENEROUS = aRole(allow('dynamodb:*', 'arn:aws:dynamodb:us-east-1:000000000000:table/*'));

/** The gateway before a service that takes everything and answers the same each time. */
export async function openGateway(role: FunctionRole = GENEROUS): Promise<TestGateway> {
  const arrived: Arrived[] = [];
  let connections = 0;
  let answer: Parameters<TestGateway['answerWith']>[0] = { body: '{}' };
  const service = createServer(async (request, response) => {
    arrived.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/x-amz-json-1.0', ...answer.headers });
    response.end(answer.body);
  });
  service.on('connection', () => {
    connections += 1;
  });
  const port = await listenOnLoopback(service, 0);

  const denials: Denial[] = [];
  const troubles: string[] = [];
  const iam = createIam(A_PLACE, (denial) => denials.push(denial));
  await iam.replace([role]);
  const gateway = await startGateway({
    services: [dynamoDbService(A_PLACE, `http://127.0.0.1:${port}`)],
    accessKeyId: 'LOCALSHARED',
    iam,
    onTrouble: (_, text) => troubles.push(text),
  });
  const clients: DynamoDBClient[] = [];

  return {
    gateway,
    serviceUrl: `http://127.0.0.1:${port}`,
    arrived,
    connections: () => connections,
    answerWith(next) {
      answer = next;
    },
    troubles,
    denials,
    admit: (instanceId = 'i-1') => gateway.callers.admit({ functionKey: role.functionKey, instanceId }),
    clientOf({ credentials }) {
      const client = new DynamoDBClient({
        endpoint: gateway.endpoints['dynamodb'] ?? '',
        region: A_PLACE.region,
        credentials: { ...credentials },
        maxAttempts: 1,
      });
      clients.push(client);
      return client;
    },
    stopService: () => closeServer(service),
    async close() {
      for (const client of clients) client.destroy();
      await gateway.close();
      await closeServer(service);
    },
  };
}
