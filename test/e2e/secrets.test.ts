import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SecretOwner } from '../../lambda/operator/known-source.ts';
import {
  createSecretsManagerClient,
  createSecretsManagerStore,
} from '../../lambda/operator/outside/secrets-manager.ts';
import { addSecret } from '../../lambda/operator/secret-add.ts';
import { dropSecret } from '../../lambda/operator/secret-drop.ts';
import { standardWebhooks } from '../../lambda/providers/standard-webhooks.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { generateSecret } from '../../local/secrets/generate-secret.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { send, standardDelivery } from './official-senders.ts';

const MODULE = join(import.meta.dirname, '../../lambda/oncehook.ts');
const SOURCES = `
  import { defineSources, standardWebhooks } from ${JSON.stringify(MODULE)};
  export const sources = defineSources({ shop: { provider: standardWebhooks(), on: { 'order.paid': async () => {} } } });
`;
const SHOP: SecretOwner = { name: 'shop', format: standardWebhooks().scheme.secret };
const FLOOD = 10_000;
const DELIVERIES = 500;
/** More would only stand in line on a small machine. */
const INSTANCES = 4;
/** What an instance may read at once; after that it is one a second. */
const READS_AT_ONCE = 5;
/** How long before the provider's switch an operator adds the secret where bad signatures come all the time. */
const AHEAD_MS = 1000;

let folder: string;
let aws: LocalAws;
let dynamodb: DynamoDBClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  const sourcesFile = join(folder, 'sources.ts');
  await writeFile(sourcesFile, SOURCES);
  aws = await startTestAws({ sourcesFile, schedules: false, pool: { maxInstances: INSTANCES } });
  dynamodb = new DynamoDBClient({
    endpoint: aws.endpoints.dynamodb,
    region: aws.region,
    credentials: { ...aws.credentials },
  });
});
afterAll(async () => {
  dynamodb?.destroy();
  await aws?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** New instances, which have read no secret yet and may read as many as any. */
let begunAtMs = 0;
beforeEach(async () => {
  begunAtMs = Date.now();
  await aws.killInstances('receive');
  aws.gateway.calls.take();
});

/** What the receiver has asked for since the test began, but for secrets; and how often each instance asked for those. */
function calls() {
  const all = aws.gateway.calls.take();
  const isRead = ({ service, action }: (typeof all)[number]) =>
    service === 'secretsmanager' && action === 'GetSecretValue';
  const reads = Map.groupBy(all.filter(isRead), ({ instanceId }) => instanceId);
  return {
    others: all.filter((call) => !isRead(call)).map(({ service, action }) => `${service} ${action}`),
    reads: [...reads.values()].map(({ length }) => length),
  };
}

const mostReads = (): number => READS_AT_ONCE + Math.floor((Date.now() - begunAtMs) / 1000);

/** Asks again and again, so many at once, for as long as `goesOn` says. */
async function inLanes(lanes: number, goesOn: () => boolean, ask: () => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    while (goesOn()) await ask();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Forged deliveries until there were `most`, or `over` says so; counts what they were answered. */
async function flood(lanes: number, most: number, over: () => boolean = () => false): Promise<Map<string, number>> {
  // Well-formed and fresh, signed by somebody who does not know the secret.
  const { body, headers } = standardDelivery(anotherSecret(), 'msg_forged', 'order.paid', { amount: 1 });
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const answers = new Map<string, number>();
  let begun = 0;
  await inLanes(
    lanes,
    () => begun < most && !over(),
    async () => {
      begun += 1;
      const answer = await post(`${aws.apiUrl}/webhooks/shop`, agent, headers, body);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    },
  );
  agent.destroy();
  return answers;
}

/** What `fetch` does, for half the time of the processor. */
const post = (url: string, agent: Agent, headers: Readonly<Record<string, string>>, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers: { ...headers } }, (response) => {
      response.resume();
      response.on('end', () => resolve(`${response.statusCode} ${response.headers['x-oncehook-outcome']}`));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const currentSecret = (): string => aws.secrets['shop']?.[0] ?? '';
const anotherSecret = (): string =>
  generateSecret({ name: 'shop', provider: 'standard-webhooks', secret: SHOP.format, types: [] });

const tally = (values: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(values, String)].map(([value, those]) => [value, those.length]));

it('ten thousand wrong signatures cost no DynamoDB or queue call and the bounded number of secret reads', async () => {
  const answers = await flood(16, FLOOD);

  const most = mostReads();
  const { others, reads } = calls();
  expect([...answers]).toEqual([['401 unauthenticated', FLOOD]]);
  expect(others).toEqual([]);
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.length).toBeLessThanOrEqual(INSTANCES);
  expect(Math.max(...reads)).toBeLessThanOrEqual(most);
});

describe('a secret that was added before the provider switched, in the middle of five hundred deliveries', () => {
  async function addOne(): Promise<string> {
    const place = {
      isLocal: true,
      secretId: aws.signingSecretId ?? '',
      endpoint: aws.endpoints.secretsmanager,
      region: aws.region,
      credentials: aws.credentials,
    };
    const client = createSecretsManagerClient(place);
    const store = createSecretsManagerStore(client, place);
    if ((aws.secrets['shop'] ?? []).length > 1) await dropSecret(store, SHOP.name, undefined);
    const secret = anotherSecret();
    await addSecret(store, SHOP, secret);
    client.destroy();
    return secret;
  }

  /** The answers of all deliveries before, while and after the secret is added; each is an event of its own. */
  async function rotate(name: string, aheadMs: number): Promise<readonly string[]> {
    const answers: string[] = [];
    let begun = 0;
    const deliver = async (secret: string): Promise<void> => {
      begun += 1;
      const delivery = standardDelivery(secret, `${name}-${begun}`, 'order.paid', { amount: 1 });
      const { status, outcome } = await send(aws.apiUrl, 'shop', delivery);
      answers.push(`${status} ${outcome}`);
    };
    const before = currentSecret();
    await inLanes(
      4,
      () => begun < DELIVERIES / 2,
      () => deliver(before),
    );

    const added = await addOne();
    const switchesAtMs = Date.now() + aheadMs;
    while (Date.now() < switchesAtMs) await deliver(before);

    const most = begun + DELIVERIES / 2;
    await inLanes(
      4,
      () => begun < most,
      () => deliver(added),
    );
    return answers;
  }

  async function processedEvents(name: string): Promise<number> {
    let count = 0;
    const pages = paginateScan(
      { client: dynamodb },
      {
        TableName: aws.tables['inbox'],
        ConsistentRead: true,
        Select: 'COUNT',
        FilterExpression: 'begins_with(id, :name) AND #status = :processed',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':name': { S: `shop#${name}-` }, ':processed': { S: 'processed' } },
      },
    );
    for await (const { Count: onPage = 0 } of pages) count += onPage;
    return count;
  }

  it('fails none of them, at whatever moment the provider switches', async () => {
    const answers = await rotate('alone', 0);

    expect(tally(answers)).toEqual({ '200 processed': DELIVERIES });
    expect(await processedEvents('alone')).toBe(DELIVERIES);
    // When it is cold, and at the first delivery that is signed with the new one.
    expect(Math.max(...calls().reads)).toBeLessThanOrEqual(2);
  });

  it('fails none of them during a flood of bad signatures, when it was added a second ahead', async () => {
    const callsBefore = aws.gateway.calls.total;
    let over = false;
    const flooding = flood(4, Number.POSITIVE_INFINITY, () => over);
    let answers: readonly string[];
    try {
      // As many reads as the instances may make at once: from here on it is one a second.
      await expect
        .poll(() => aws.gateway.calls.total - callsBefore, { timeout: 60_000 })
        .toBeGreaterThanOrEqual(INSTANCES * READS_AT_ONCE);
      answers = await rotate('flooded', AHEAD_MS);
    } finally {
      over = true;
      await flooding;
    }

    const most = mostReads();
    expect(tally(answers)).toEqual({ '200 processed': answers.length });
    expect(answers.length).toBeGreaterThanOrEqual(DELIVERIES);
    expect(await processedEvents('flooded')).toBe(answers.length);
    expect([...(await flooding).keys()]).toEqual(['401 unauthenticated']);
    expect(Math.max(...calls().reads)).toBeLessThanOrEqual(most);
  });
});
