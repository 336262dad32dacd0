import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../../local/faults/fault.ts';
import { faultRule } from '../../../../local/faults/rule.ts';
import { type RunningGateway, startGateway } from '../../../../local/gateway/gateway.ts';
import { sqsService } from '../../../../local/gateway/services/sqs.ts';
import { createIam } from '../../../../local/iam/iam.ts';
import { type SqsServer, startSqsServer } from '../../../../local/sqs/sqs-server.ts';
import { A_PLACE } from '../fixtures/a-template.ts';
import { allow, aRole } from '../iam/a-role.ts';

const SHARED = { accessKeyId: 'LOCALSHARED', secretAccessKey: 'secret' };

let server: SqsServer;
let gateway: RunningGateway;
let client: SQSClient;
let QueueUrl: string;
const troubles: string[] = [];
let queues = 0;
beforeAll(async () => {
  server = await startSqsServer(A_PLACE, SHARED);
  const iam = createIam(A_PLACE, () => {});
  await iam.replace([aRole(allow('sqs:*', 'arn:aws:sqs:us-east-1:000000000000:*'))]);
  gateway = await startGateway({
    services: [sqsService(A_PLACE, server.url)],
    accessKeyId: SHARED.accessKeyId,
    iam,
    onTrouble: (_, text) => troubles.push(text),
  });
  const { credentials } = gateway.callers.admit({ functionKey: 'receive', instanceId: 'i-1' });
  client = new SQSClient({
    endpoint: gateway.endpoints['sqs'] ?? '',
    region: A_PLACE.region,
    credentials: { ...credentials },
    maxAttempts: 1,
  });
});
afterAll(async () => {
  client?.destroy();
  await gateway?.close();
  await server?.close();
});
beforeEach(async () => {
  queues += 1;
  const name = `queue-${queues}`;
  await server.createQueues([{ logicalId: 'Q', name, arn: '', url: '', attributes: {} }]);
  QueueUrl = server.urlOf(name);
});

const meet = (fault: Fault) => gateway.faults.use(faultRule({ fault }));

const sendAll = (...ids: readonly string[]) =>
  client.send(
    new SendMessageBatchCommand({ QueueUrl, Entries: ids.map((Id) => ({ Id, MessageBody: `body of ${Id}` })) }),
  );

async function bodies(): Promise<readonly (string | undefined)[]> {
  const { Messages: messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
  );
  return messages.map(({ Body }) => Body);
}

describe('a batch that is sent in part', () => {
  it('has the other entries in the queue, and says which failed by no fault of the sender', async () => {
    const { injected } = meet({ kind: 'partial', failed: [1], code: 'ThrottlingException' });

    const answer = await sendAll('a', 'b', 'c');

    expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['a', 'c']);
    expect(answer.Failed).toEqual([
      { Id: 'b', Code: 'ThrottlingException', Message: 'local AWS was told to fail', SenderFault: false },
    ]);
    expect(await bodies()).toEqual(['body of a', 'body of c']);
    expect(injected.partial).toBe(1);
  });

  it('has nothing in the queue when every entry failed', async () => {
    meet({ kind: 'partial', failed: [0, 1] });

    const { Successful, Failed } = await sendAll('a', 'b');

    expect(Successful).toEqual([]);
    expect(Failed?.map(({ Id, Code }) => `${Id} ${Code}`)).toEqual(['a InternalError', 'b InternalError']);
    expect(await bodies()).toEqual([]);
  });

  it('has in the queue what its answer does not speak of', async () => {
    meet({ kind: 'partial', failed: [0], unanswered: [2] });

    const { Successful, Failed } = await sendAll('a', 'b', 'c');

    expect([Successful?.map(({ Id }) => Id), Failed?.map(({ Id }) => Id)]).toEqual([['b'], ['a']]);
    expect(await bodies()).toEqual(['body of b', 'body of c']);
  });

  it('fails in entries that the rule chooses by the call', async () => {
    gateway.faults.use(
      faultRule({
        action: 'SendMessageBatch',
        fault: ({ input }) => ({
          kind: 'partial',
          failed: Array.isArray(input['Entries'])
            ? input['Entries'].flatMap(({ MessageBody }, n) => (MessageBody === 'body of b' ? [n] : []))
            : [],
        }),
      }),
    );

    expect((await sendAll('a', 'b')).Failed?.map(({ Id }) => Id)).toEqual(['b']);
  });

  it('cannot be made of what is no batch, or of an entry that it does not have', async () => {
    meet({ kind: 'partial', failed: [0] });
    await expect(client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }))).rejects.toThrow();
    expect(troubles.at(-1)).toContain('SendMessage has no entries of which some could fail');
    meet({ kind: 'partial', failed: [2] });
    await expect(sendAll('a', 'b')).rejects.toThrow();
    expect(troubles.at(-1)).toContain('a batch of 2 entries has none at 2');
  });
});
