import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type SignedDelivery, stripeDelivery } from './official-senders.ts';

let aws: LocalAws;
let example: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  aws = await startTestAws();
  // The example of API Gateway's documentation, unchanged.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
  example = JSON.parse(
    await readFile(new URL('../golden/api-gateway/http-api-event-2.0.json', import.meta.url), 'utf8'),
  );
});
afterAll(() => aws?.stop());

/** The published event for the webhook of Stripe, with the body in one of its forms. */
const eventWith = (delivery: SignedDelivery, form: object): object => ({
  ...example,
  rawPath: '/webhooks/stripe',
  pathParameters: { source: 'stripe' },
  headers: { ...(example['headers'] as object), ...delivery.headers },
  ...form,
});

const asText = ({ body }: SignedDelivery) => ({ body, isBase64Encoded: false });
const asBase64 = ({ body }: SignedDelivery) => ({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true });

async function answerTo(event: object): Promise<{ readonly statusCode: number; readonly outcome: unknown }> {
  const result = await aws.invoke('receive', event);
  if (result.kind !== 'returned') throw new Error(`not returned: ${result.kind}`);
  const { statusCode, body } = JSON.parse(result.payload);
  return { statusCode, outcome: JSON.parse(body).outcome };
}

async function bodyHashOf(eventId: string): Promise<unknown> {
  const client = new DynamoDBClient({
    endpoint: aws.endpoints.dynamodb,
    region: aws.region,
    credentials: { ...aws.credentials },
  });
  const { Item: row } = await DynamoDBDocumentClient.from(client).send(
    new GetCommand({ TableName: aws.tables['inbox'], Key: { id: `stripe#${eventId}` } }),
  );
  client.destroy();
  return row?.['bodyHash'];
}

const sign = (id: string): SignedDelivery => stripeDelivery(aws.secrets['stripe']?.[0] ?? '', id, 'cus_é', 7);

describe('the published event of API Gateway', () => {
  it('has one outcome and one body hash as text and as base64', async () => {
    const [one, other] = [sign('evt_text'), sign('evt_base64')];

    const answers = [await answerTo(eventWith(one, asText(one))), await answerTo(eventWith(other, asBase64(other)))];

    expect(answers).toEqual([
      { statusCode: 200, outcome: 'processed' },
      { statusCode: 200, outcome: 'processed' },
    ]);
    const hash = (delivery: SignedDelivery) => createHash('sha256').update(delivery.body).digest('hex');
    expect([await bodyHashOf('evt_text'), await bodyHashOf('evt_base64')]).toEqual([hash(one), hash(other)]);
    expect(await answerTo(eventWith(one, asBase64(one)))).toEqual({ statusCode: 200, outcome: 'duplicate' });
  });

  it('is not decoded when isBase64Encoded is the text "true"', async () => {
    const delivery = sign('evt_flag');

    const encoded = await answerTo(eventWith(delivery, { ...asBase64(delivery), isBase64Encoded: 'true' }));
    const plain = await answerTo(eventWith(delivery, { ...asText(delivery), isBase64Encoded: 'true' }));

    expect(encoded).toEqual({ statusCode: 401, outcome: 'unauthenticated' });
    expect(plain).toEqual({ statusCode: 200, outcome: 'processed' });
  });

  it.each([{}, { version: '1.0', body: '{}' }, { source: 'aws.events' }])(
    'is not %j, which is answered 400',
    async (event) => {
      expect(await answerTo(event)).toEqual({ statusCode: 400, outcome: 'malformed' });
    },
  );
});
