import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LocalAws } from '../../local/local-aws.ts';
import { stateOf } from '../support/process-list.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type Gate, startGate } from './gate.ts';
import { type SignedDelivery, send, standardDelivery } from './official-senders.ts';

const MODULE = join(import.meta.dirname, '../../lambda/oncehook.ts');

const SOURCES = `
  import { defineSources, standardWebhooks } from ${JSON.stringify(MODULE)};

  const held = [];

  export const sources = defineSources({
    shop: {
      provider: standardWebhooks(),
      on: {
        'slip.paid': async (event, work) => {
          work.emit('paid', { id: event.id });
          if (event.body.data.gate !== undefined) await fetch(event.body.data.gate);
          return {};
        },
        'slip.grows': async () => {
          for (;;) {
            held.push(Buffer.alloc(8 * 1024 * 1024, 1));
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        },
      },
    },
  });
`;

let aws: LocalAws;
let folder: string;
let gate: Gate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  await writeFile(join(folder, 'sources.ts'), SOURCES);
  aws = await startTestAws({
    sourcesFile: join(folder, 'sources.ts'),
    context: { receiveTimeoutSeconds: '3', receiveMemoryMb: '256' },
    pool: { maxInstances: 2, waitMs: 0 },
    schedules: false,
  });
  // The rows stay where they can be counted.
  await aws.mappings.pause('dispatch');
});
afterAll(async () => {
  await aws?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  gate = await startGate();
});
afterEach(() => gate.close());

const sign = (id: string, type: string, data: object = {}): SignedDelivery =>
  standardDelivery(aws.secrets['shop']?.[0] ?? '', id, type, data);

/** The answer as it came: API Gateway's own has a message, ours an outcome. */
async function post({ body, headers }: SignedDelivery): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${aws.apiUrl}/webhooks/shop`, { method: 'POST', body, headers: { ...headers } });
  return { status: response.status, body: await response.json() };
}

const outcomeOf = async (delivery: SignedDelivery) => (await send(aws.apiUrl, 'shop', delivery)).outcome;

const receivers = () => aws.instances().filter(({ functionKey }) => functionKey === 'receive');

async function outboxRowsOf(eventId: string): Promise<number> {
  const client = new DynamoDBClient({
    endpoint: aws.endpoints.dynamodb,
    region: aws.region,
    credentials: { ...aws.credentials },
  });
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(
    new ScanCommand({ TableName: aws.tables['outbox'] }),
  );
  client.destroy();
  return Items.filter(({ id }) => String(id).startsWith(`shop#${eventId}#`)).length;
}

describe('the receive function on local AWS', () => {
  it('is killed when its handler outlives the time-out, and the redelivery has the event applied', async () => {
    const delivery = sign('msg_slow', 'slip.paid', { gate: gate.url });

    const first = await post(delivery);
    const instances = receivers();
    gate.open();
    const later = [await outcomeOf(delivery)];
    await aws.logs.waitFor(({ fields }) => fields?.['eventId'] === 'msg_slow' && fields['outcome'] === 'processed');
    later.push(await outcomeOf(delivery));

    expect(first).toEqual({ status: 503, body: { message: 'Service Unavailable' } });
    expect(instances).toEqual([]);
    expect(aws.logs.entries.map(({ text }) => text)).toContain('Task timed out after 3.00 seconds');
    // The redelivery finds the claim running, and is queued for its end, or just ended, and takes over itself.
    expect(later).toEqual([expect.toBeOneOf(['queued', 'processed']), 'duplicate']);
    expect(await outboxRowsOf('msg_slow')).toBe(1);
  });

  it('is killed when it outgrows its memory', async () => {
    const answer = await post(sign('msg_grows', 'slip.grows'));

    expect(answer).toEqual({ status: 500, body: { message: 'Internal Server Error' } });
    expect(receivers()).toEqual([]);
  });

  it('goes on although DynamoDB has closed the connections that were frozen with it', async () => {
    await outcomeOf(sign('msg_before', 'slip.paid'));
    const [instance] = receivers();
    await expect.poll(() => stateOf(instance?.pid)).toBe('frozen');

    aws.gateway.closeConnections();
    const { outcome } = await send(aws.apiUrl, 'shop', sign('msg_after', 'slip.paid'));

    expect(outcome).toBe('processed');
    expect(receivers()).toMatchObject([{ id: instance?.id }]);
    expect(await outboxRowsOf('msg_after')).toBe(1);
  });

  it('is throttled when every instance is busy', async () => {
    const held = ['msg_held_1', 'msg_held_2'].map((id) => sign(id, 'slip.paid', { gate: gate.url }));
    const busy = Promise.all(held.map((delivery) => send(aws.apiUrl, 'shop', delivery)));
    await gate.arrival(2);

    const oneMore = await post(sign('msg_more', 'slip.paid'));
    gate.open();

    expect(oneMore).toEqual({ status: 503, body: { message: 'Service Unavailable' } });
    expect((await busy).map(({ outcome }) => outcome)).toEqual(['processed', 'processed']);
  });
});
