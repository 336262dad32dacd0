import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Notice } from '../../local/follow-changes.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type Gate, startGate } from './gate.ts';
import { githubDelivery, type SignedDelivery, send, standardDelivery, stripeDelivery } from './official-senders.ts';

const EVENTS = 20;
const COPIES = 10;
const MODULE = join(import.meta.dirname, '../../lambda/oncehook.ts');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The document client of whoever reads the state file. */
function openTables({ endpoints, region, credentials }: LocalAws): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: { ...credentials } }),
  );
}

const secretOf = (aws: LocalAws, source: string): string => aws.secrets[source]?.[0] ?? '';

describe('the project’s own stack on local AWS', () => {
  let aws: LocalAws;
  let tables: DynamoDBDocumentClient;
  let stateFile: string;

  beforeAll(async () => {
    stateFile = join(folder, 'local.json');
    // A copy that finds its event running waits for as long as that attempt may take.
    aws = await startTestAws({ stateFile, console: true, context: { workTimeoutSeconds: '10' } });
    tables = openTables(aws);
  });

  afterAll(async () => {
    tables?.destroy();
    await aws?.stop();
  });

  it('is described by a state file for its owner', () => {
    const state = JSON.parse(readFileSync(stateFile, 'utf8'));

    expect(state).toEqual({
      apiUrl: aws.apiUrl,
      consoleUrl: aws.consoleUrl,
      region: 'us-east-1',
      credentials: aws.credentials,
      endpoints: aws.endpoints,
      stackName: 'Oncehook-dev',
      tables: {
        inbox: expect.any(String),
        outbox: expect.any(String),
        sequences: expect.any(String),
        accounts: expect.any(String),
      },
      queues: {
        events: expect.any(String),
        eventsDlq: expect.any(String),
        outbox: expect.any(String),
        outboxDlq: expect.any(String),
      },
      buckets: { bodies: expect.any(String) },
      secrets: { stripe: [expect.any(String)], github: [expect.any(String)], bazaar: [expect.any(String)] },
      signingSecretId: expect.any(String),
      pid: process.pid,
    });
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  });

  const accountOf = async (accountId: string) =>
    (await tables.send(new GetCommand({ TableName: aws.tables['accounts'], Key: { accountId } }))).Item;

  /** Copies of all sources whose answer was that the events queue has them. */
  let queuedCopies = 0;

  it.each([
    {
      source: 'stripe',
      account: 'cus_e2e',
      isQueued: false,
      deliver: (secret: string, id: string) => stripeDelivery(secret, id, 'cus_e2e', 5),
    },
    {
      source: 'github',
      account: 'repo:octo/e2e',
      isQueued: true,
      deliver: (secret: string, id: string) => githubDelivery(secret, id, 'octo/e2e', 5),
    },
    {
      source: 'bazaar',
      account: 'shop_e2e',
      isQueued: false,
      deliver: (secret: string, id: string) =>
        standardDelivery(secret, id, 'slip.credited', { account: 'shop_e2e', amount: 5 }),
    },
  ])('applies each event of $source once, however many copies come at once', async (sent) => {
    const { source, account, isQueued, deliver } = sent;
    const deliveries: SignedDelivery[] = [];
    for (let n = 0; n < EVENTS; n += 1) deliveries.push(await deliver(secretOf(aws, source), `${source}-${n}`));

    const answers = await Promise.all(
      deliveries.map((delivery) =>
        Promise.all(Array.from({ length: COPIES }, () => send(aws.apiUrl, source, delivery))),
      ),
    );
    const late = await Promise.all(deliveries.map((delivery) => send(aws.apiUrl, source, delivery)));
    queuedCopies += [...answers.flat(), ...late].filter(({ outcome }) => outcome === 'queued').length;

    expect([...answers.flat(), ...late].filter(({ status }) => status !== 200)).toEqual([]);
    for (const copies of answers) {
      const outcomes = copies.map(({ outcome }) => outcome);
      const first = outcomes.filter((outcome) => outcome !== 'queued' && outcome !== 'duplicate');
      expect(first).toEqual(isQueued ? [] : ['processed']);
    }
    expect(late.map(({ outcome }) => outcome)).toEqual(late.map(() => (isQueued ? 'queued' : 'duplicate')));
    // Each commit emitted one message, and the consumer counted each message once.
    await expect
      .poll(() => accountOf(account), { timeout: 60_000 })
      .toMatchObject({ balance: 5 * EVENTS, entries: EVENTS, receipts: EVENTS });
  });

  it('makes two calls for a new event, one for a copy, and reads the secret once when cold', async () => {
    const delivery = (id: string) => stripeDelivery(secretOf(aws, 'stripe'), id, 'cus_calls', 1);
    await aws.killInstances('receive');
    const calls = async (id: string) => {
      aws.gateway.calls.take();
      const { outcome } = await send(aws.apiUrl, 'stripe', delivery(id));
      const calls = aws.gateway.calls.take().filter(({ functionKey }) => functionKey === 'receive');
      return { outcome, calls: calls.map(({ service, action }) => `${service} ${action}`) };
    };

    const cold = await calls('evt_calls_1');
    const warm = await calls('evt_calls_2');
    const copy = await calls('evt_calls_2');

    const forNew = ['dynamodb PutItem', 'dynamodb TransactWriteItems'];
    expect(cold).toEqual({ outcome: 'processed', calls: ['secretsmanager GetSecretValue', ...forNew] });
    expect(warm).toEqual({ outcome: 'processed', calls: forNew });
    expect(copy).toEqual({ outcome: 'duplicate', calls: ['dynamodb PutItem'] });
  });

  it('logs one outcome a delivery', async () => {
    await send(aws.apiUrl, 'stripe', stripeDelivery(secretOf(aws, 'stripe'), 'evt_logged', 'cus_logged', 1));

    const entry = await aws.logs.waitFor(({ fields }) => fields?.['eventId'] === 'evt_logged');

    expect(entry.fields).toMatchObject({ outcome: 'processed', source: 'stripe', eventType: 'invoice.paid' });
  });

  it('shows on its console page what came in and what is in the tables, and no secret', async () => {
    await send(aws.apiUrl, 'stripe', stripeDelivery(secretOf(aws, 'stripe'), 'evt_<b>', 'cus_console', 7));
    await aws.logs.waitFor(({ fields }) => fields?.['eventId'] === 'evt_<b>');

    const page = await fetch(aws.consoleUrl ?? '');
    const response = await fetch(`${aws.consoleUrl}state.json`);
    const text = await response.text();

    expect(await page.text()).toContain('<h2 id="deliveries-title">Latest deliveries</h2>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const state = JSON.parse(text);
    expect(state.sources).toContainEqual({ name: 'stripe', url: `${aws.apiUrl}/webhooks/stripe` });
    expect(state.deliveries).toContainEqual(
      expect.objectContaining({ outcome: 'processed', source: 'stripe', eventId: 'evt_<b>' }),
    );
    expect(state.counts.duplicate).toBeGreaterThan(0);
    expect(state.tables.map(({ key }: { key: string }) => key)).toEqual(['accounts', 'outbox', 'inbox', 'sequences']);
    const [accounts] = state.tables;
    // The consumer may or may not have counted the receipt by then.
    expect(accounts.rows).toContainEqual(['cus_console', '7', '1', expect.stringMatching(/^1?$/)]);
    for (const secret of Object.values(aws.secrets).flat()) expect(text).not.toContain(secret);
  });

  it('gives its console page only to who knows its address', async () => {
    const { origin } = new URL(aws.consoleUrl ?? '');

    const statuses = await Promise.all(
      ['/', '/state.json', '/x/state.json'].map(async (path) => (await fetch(`${origin}${path}`)).status),
    );

    expect(statuses).toEqual([404, 404, 404]);
  });

  it('works off every queued copy, and applies none of them again', async () => {
    const worked = () =>
      aws.logs.entries.flatMap(({ functionKey, fields }) =>
        functionKey === 'work' && fields?.['outcome'] !== undefined ? [fields['outcome']] : [],
      );
    const finished = () => worked().filter((outcome) => outcome === 'processed' || outcome === 'duplicate');

    await expect.poll(() => finished().length, { timeout: 60_000 }).toBe(queuedCopies);

    expect(finished().filter((outcome) => outcome === 'processed')).toHaveLength(EVENTS);
    for (const account of ['cus_e2e', 'repo:octo/e2e', 'shop_e2e']) {
      expect(await accountOf(account)).toMatchObject({ balance: 5 * EVENTS, entries: EVENTS, receipts: EVENTS });
    }
  });
});

/** A handler that waits at `gate` before it credits, and one more source when `more` is set. */
const sourcesModule = (gate: string, more: boolean) => `
  import { defineSources, standardWebhooks } from ${JSON.stringify(MODULE)};

  const waitAtGate = async (event) => {
    await fetch(${JSON.stringify(gate)});
    return { waited: event.id };
  };

  export const sources = defineSources({
    slow: { provider: standardWebhooks(), on: { 'thing.done': waitAtGate } },
    ${more ? "another: { provider: standardWebhooks(), on: { 'thing.done': async () => ({}) } }," : ''}
  });
`;

describe('another sources module on local AWS', () => {
  let aws: LocalAws;
  let gate: Gate;
  let sourcesFile: string;
  let onNotice: (notice: Notice) => void = () => {};

  beforeAll(async () => {
    gate = await startGate();
    sourcesFile = join(folder, 'sources.ts');
    await writeFile(sourcesFile, sourcesModule(gate.url, false));
    aws = await startTestAws({
      sourcesFile,
      watch: true,
      context: { receiveTimeoutSeconds: '3' },
      onNotice: (notice) => onNotice(notice),
    });
  });

  afterAll(async () => {
    await aws?.stop();
    await gate?.close();
  });

  const nextNotice = (text: string) =>
    new Promise<Notice>((resolve) => {
      onNotice = (notice) => {
        if (notice.text.includes(text)) resolve(notice);
      };
    });

  it('applies an event whose instance was killed in the handler once it is sent again', async () => {
    const delivery = standardDelivery(secretOf(aws, 'slow'), 'msg_killed', 'thing.done', {});
    const first = send(aws.apiUrl, 'slow', delivery);
    await gate.arrival();

    const killed = await aws.killInstances('receive');
    gate.open();
    // Until the claim of the killed one has ended the copy is queued; after that it takes over itself.
    const answers = [await first, await send(aws.apiUrl, 'slow', delivery)];
    await aws.logs.waitFor(({ fields }) => fields?.['eventId'] === 'msg_killed' && fields['outcome'] === 'processed');
    answers.push(await send(aws.apiUrl, 'slow', delivery));

    expect(killed).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([500, 200, 200]);
    expect(answers[1]?.outcome).toBeOneOf(['queued', 'processed']);
    expect(answers[2]?.outcome).toBe('duplicate');
    expect(gate.arrivals()).toBe(2);
  });

  it('goes on with the last good code when a change does not build, and takes the next that does', async () => {
    const failed = nextNotice('do not build');
    await writeFile(sourcesFile, 'export const sources = ;');
    const failure = await failed;
    const meanwhile = await send(
      aws.apiUrl,
      'slow',
      standardDelivery(secretOf(aws, 'slow'), 'msg_old', 'thing.done', {}),
    );

    const changed = nextNotice('the stack has changed');
    await writeFile(sourcesFile, sourcesModule(gate.url, true));
    await changed;
    const added = await send(
      aws.apiUrl,
      'another',
      standardDelivery(secretOf(aws, 'another'), 'msg_new', 'thing.done', {}),
    );

    expect(failure).toMatchObject({ kind: 'failure', text: expect.stringMatching(/sources\.ts:1: /) });
    expect(meanwhile.outcome).toBe('processed');
    expect(added.outcome).toBe('processed');
  });
});
