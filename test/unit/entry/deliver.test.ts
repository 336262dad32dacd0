import type { Message } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ENV } from '../../../lambda/contract.ts';
import { createSecretStore } from '../../../local/secrets/secret-store.ts';
import { type SecretsServer, startSecretsServer } from '../../../local/secrets/secrets-server.ts';
import { type SqsServer, startSqsServer } from '../../../local/sqs/sqs-server.ts';
import { A_PLACE } from '../local/fixtures/a-template.ts';

const ACCESS_KEY = 'LOCALSHARED';
const SECRET = `whsec_${Buffer.alloc(32, 0x42).toString('base64')}`;
/** A name that nobody has. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
const TARGET = 'https://nobody.invalid/hooks?key=hunter2';

let sqs: SqsServer;
let secrets: SecretsServer;
const written: string[] = [];

beforeAll(async () => {
  const store = createSecretStore();
  store.create('signing', 'arn:aws:secretsmanager:us-east-1:000000000000:secret:signing');
  store.put('signing', JSON.stringify({ 'deliver:billing': [SECRET] }));
  sqs = await startSqsServer(A_PLACE, { accessKeyId: ACCESS_KEY, secretAccessKey: 'secret' });
  secrets = await startSecretsServer(store, ACCESS_KEY);
  await sqs.createQueues([{ logicalId: 'deliveries', name: 'deliveries', arn: '', url: '', attributes: {} }]);

  const environment = {
    [ENV.deliverTargets]: JSON.stringify({ billing: { url: TARGET, timeoutSeconds: 5 } }),
    [ENV.deliveriesQueueUrl]: sqs.urlOf('deliveries'),
    [ENV.outboxFifo]: 'false',
    [ENV.signingSecretId]: 'signing',
    AWS_REGION: A_PLACE.region,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    POWERTOOLS_DEV: 'true',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: unknown) => void written.push(String(line)));
  }
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await sqs?.close();
  await secrets?.close();
});

/** Calls the function with one message, as its mapping does. */
async function invoke(record: object): Promise<unknown> {
  // After the environment: it is read when the module is loaded.
  const { handler } = await import('../../../lambda/entry/deliver.ts');
  const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 30_000 };
  return Reflect.apply(handler, undefined, [{ Records: [record] }, context]);
}

const text = (stringValue: string) => ({ stringValue, dataType: 'String' });

function toRecord({ MessageId, ReceiptHandle, Body, Attributes, MessageAttributes = {} }: Message) {
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
    messageAttributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, text(StringValue)]),
    ),
  };
}

describe('the deliver function', () => {
  it('splits a message of the outbox queue, and keeps what its target did not take', async () => {
    const split = await invoke({
      messageId: 'm-1',
      receiptHandle: 'r-1',
      body: '{"amount":5}',
      attributes: { ApproximateReceiveCount: '1' },
      messageAttributes: { id: text('shop#e1#1'), topic: text('receipt.requested') },
    });
    expect(split).toEqual({ batchItemFailures: [] });

    const wait = { max: 1, waitSeconds: 5, signal: new AbortController().signal };
    const [message] = await sqs.receive('deliveries', wait);
    expect(message?.MessageAttributes?.['target']?.StringValue).toBe('billing');

    const posted = await invoke(toRecord(message ?? {}));
    expect(posted).toEqual({ batchItemFailures: [{ itemIdentifier: message?.MessageId }] });
    expect(written.join('\n')).toMatch(/"message":\s*"delivery attempt failed"/);
    expect(written.join('\n')).not.toMatch(/hunter2|nobody\.invalid|amount|whsec_|could not be set/);
  });
});
