import { createBackEnd } from '../gateway/back-end.ts';
import type { Answer, ServiceError } from '../gateway/gateway-service.ts';
import { jsonAnswer } from '../gateway/json-answer.ts';
import { type ServiceServer, startServiceServer } from '../gateway/service-server.ts';
import { describeDynamoDbError } from '../gateway/services/dynamodb.ts';
import { targetActionOf } from '../gateway/services/json-service.ts';
import type { TableSpec } from '../template/table-specs.ts';
import { recordOf } from '../template/template.ts';

export interface TablesFrontDeps {
  readonly accessKeyId: string;
  /** Of DynamoDB Local. */
  readonly target: string;
  readonly tables: () => readonly TableSpec[];
}

/**
 * Stands before DynamoDB Local for people, and answers `DescribeContinuousBackups` itself: DynamoDB Local does not
 * know it. It says what the template says, and nothing is backed up here. Everything else goes through as it is.
 */
export async function startTablesFront({ accessKeyId, target, tables }: TablesFrontDeps): Promise<ServiceServer> {
  const backEnd = createBackEnd();
  const server = await startServiceServer({
    accessKeyId,
    describeError: describeDynamoDbError,
    answer(request, rawHeaders) {
      if (targetActionOf(request) !== 'DescribeContinuousBackups') return backEnd.send(target, request, rawHeaders);
      return describeBackups(String(recordOf(JSON.parse(request.body.toString('utf8')))['TableName']), tables());
    },
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      backEnd.close();
    },
  };
}

function describeBackups(nameOrArn: string, tables: readonly TableSpec[]): Answer | ServiceError {
  const name = nameOrArn.split('/').at(-1);
  const table = tables.find((each) => each.name === name);
  if (table === undefined) return { code: 'TableNotFoundException', message: `Table not found: ${name}` };
  return jsonAnswer(200, 'application/x-amz-json-1.0', {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: table.isRecoverable ? 'ENABLED' : 'DISABLED' },
    },
  });
}
