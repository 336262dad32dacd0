import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentRequest } from '../../lambda/core/document-ports.ts';
import { epochMs } from '../../lambda/core/time.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { CODE_SENDERS, type CodeSender, snsMessage } from '../support/code-senders.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { allPayloads, readSignedPayload } from '../unit/providers/golden.ts';
import { META_VERIFY_TOKEN, sources } from './payload-sources.ts';
import { type ProviderHosts, startProviderHosts } from './provider-hosts.ts';

/** Of each payload with events: its source, and what names the events. */
const EVENTS: Readonly<Record<string, readonly [source: string, ...ids: readonly string[]]>> = {
  'stripe-invoice-paid.json': ['stripe', 'evt_1TestNimbusInvPaid0001'],
  'stripe-customer-subscription-updated.json': ['stripe', 'evt_1TestNimbusSubUpd0002'],
  'stripe-customer-subscription-updated-second-event.json': ['stripe', 'evt_1TestNimbusSubUpd0003'],
  'github-push.json': ['github', '72d3162e-cc78-11e3-81ab-4c9367dc0001'],
  'github-issues-opened.json': ['github', '72d3162e-cc78-11e3-81ab-4c9367dc0002'],
  'shopify-orders-paid.json': [
    'shopify',
    '98880550-7158-44d4-b7cd-2c97c8a091b5|orders/paid|gid://shopify/Order/6200000000123',
  ],
  'slack-event-callback-message.json': ['slack', 'Ev0TESTEVT01'],
  'slack-app-rate-limited.json': ['slack', 'app_rate_limited|T0TESTTEAM|1760000000'],
  'standard-webhooks-order-shipped.json': ['standard', 'msg_2TestOrderShipped'],
  'sendgrid-batch.json': [
    'sendgrid',
    'cHJvY2Vzc2VkLXRlc3QtMDAwMQ',
    'ZGVsaXZlcmVkLXRlc3QtMDAwMg',
    'Ym91bmNlLXRlc3QtMDAwMw',
    'b3Blbi10ZXN0LTAwMDQ',
  ],
  'adyen-batch.json': ['adyen', 'AUTHORISATION|TSTPSP0000000001', 'CAPTURE|TSTPSP0000000002'],
  'hubspot-batch.json': [
    'hubspot',
    '44556677|700001|3100000001|1759999998123|15151',
    '44556677|700002|3100000002|1759999998200|15151',
  ],
  'zoom-meeting-ended.json': ['zoom', bodyHashOf('zoom-meeting-ended.json')],
  'meta-whatsapp-message.json': ['meta', 'wamid.TESTAAAA0001=='],
  'meta-whatsapp-status.json': ['meta', 'wamid.TESTBBBB0002==|delivered'],
  'discord-webhook-event.json': ['discord', bodyHashOf('discord-webhook-event.json')],
  'gitlab-push.json': ['gitlab', 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f'],
  'paddle-subscription-updated.json': ['paddle', 'evt_01test000000000000000000001'],
  'linear-issue-update.json': ['linear', 'update|Issue|aaaaaaaa-2222-4333-8444-555555555555|2025-10-09T08:53:19.800Z'],
  'square-payment-updated.json': ['square', '13b867cf-0000-4000-8000-000000000001'],
  'twilio-sms-inbound.form.txt': ['twilio', 'SMtest0000000000000000000000000001|received'],
  'mailgun-delivered.json': ['mailgun', '0123456789abcdef0123456789abcdef0123456789abcdef01'],
  'razorpay-payment-captured.json': ['razorpay', 'evtTEST00000001'],
  'lemonsqueezy-order-created.json': ['lemonsqueezy', 'order_created|2712001|2025-10-09T08:53:20.000000Z'],
};

/** Of each payload without an event: its source, and the documented answer. */
const HANDSHAKES: Readonly<Record<string, readonly [source: string, status: number, type: string, body: string]>> = {
  'slack-url-verification.json': [
    'slack',
    200,
    'text/plain; charset=utf-8',
    '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvTESTxyz',
  ],
  'zoom-url-validation.json': [
    'zoom',
    200,
    'application/json',
    '{"plainToken":"testPlainToken123","encryptedToken":"e3047d95212aa8c52a24b4d3dab5dfaf24d5f7e12b596d6dda9d21f405a410bf"}',
  ],
  'discord-interaction-ping.json': ['discord', 200, 'application/json', '{"type":1}'],
  'github-ping.json': [
    'github',
    200,
    'application/json',
    '{"outcome":"ignored","eventId":"72d3162e-cc78-11e3-81ab-4c9367dc0003"}',
  ],
};

function bodyHashOf(file: string): string {
  return `body_${createHash('sha256').update(readSignedPayload(file).body).digest('hex')}`;
}

/** Providers whose deliveries are made here: none is on file, or what proves them is at the provider. */
const MADE = (['paypal', 'plaid', 'aws-sns', 'microsoft-graph', 'sslcommerz', 'postmark'] as const).map(
  (source): readonly [string, CodeSender] => [source, CODE_SENDERS[source]],
);
const NAMED = MADE.filter(([source]) => source !== 'plaid');
const ASKED = MADE.filter(([, { publish }]) => publish !== undefined);
const HOSTS = ['api.paypal.com', 'production.plaid.com', 'sns.eu-central-1.amazonaws.com'];

let aws: LocalAws;
let hosts: ProviderHosts;
let tables: DynamoDBDocumentClient;

beforeAll(async () => {
  hosts = await startProviderHosts(HOSTS, publish);
  aws = await startTestAws({
    sourcesFile: join(import.meta.dirname, 'payload-sources.ts'),
    plugins: [hosts.plugin],
    // A copy that finds its event running waits for as long as that attempt may take.
    context: { workTimeoutSeconds: '10' },
  });
  const access = { region: aws.region, credentials: { ...aws.credentials } };
  tables = DynamoDBDocumentClient.from(new DynamoDBClient({ ...access, endpoint: aws.endpoints.dynamodb }));
  const secretsManager = new SecretsManagerClient({ ...access, endpoint: aws.endpoints.secretsmanager });
  await secretsManager.send(
    new PutSecretValueCommand({ SecretId: aws.signingSecretId, SecretString: JSON.stringify(secretsOfSources()) }),
  );
  secretsManager.destroy();
});
afterAll(async () => {
  tables?.destroy();
  await aws?.stop();
  await hosts?.close();
});

function publish(request: DocumentRequest) {
  // SNS is told here that its topic is confirmed.
  if (request.url.includes('Action=ConfirmSubscription')) return { kind: 'found', text: '<ok/>' } as const;
  const answers = ASKED.map(([, sender]) => sender.publish?.(request));
  return answers.find((answer) => answer?.kind === 'found') ?? ({ kind: 'absent' } as const);
}

function secretsOfSources(): Readonly<Record<string, readonly string[]>> {
  const secrets: Record<string, readonly string[]> = {};
  for (const [file, [source]] of [...Object.entries(EVENTS), ...Object.entries(HANDSHAKES)]) {
    secrets[source] = [readSignedPayload(file).secret];
  }
  for (const [source, { secret }] of MADE) secrets[source] = [secret];
  return {
    ...secrets,
    dropbox: ['dropbox-secret-of-the-tests'],
    'stripe-twins': secrets['stripe'] ?? [],
  };
}

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

async function deliver(source: string, { headers, body }: Delivery, query = '') {
  const response = await fetch(`${aws.apiUrl}/webhooks/${source}${query}`, {
    method: 'POST',
    headers: { ...headers },
    body: typeof body === 'string' ? body : Buffer.from(body),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    outcome: response.headers.get('x-oncehook-outcome'),
    body: await response.text(),
  };
}

/** How the deliveries of an event ended, in order; that one was queued is no end. */
const endings = (source: string, id: string): readonly unknown[] =>
  aws.logs.entries.flatMap(({ fields = {} }) =>
    fields['source'] === source && fields['eventId'] === id && fields['outcome'] !== 'queued'
      ? [fields['outcome']]
      : [],
  );

const becomes = (source: string, ids: readonly string[], outcomes: readonly string[]) =>
  expect
    .poll(() => ids.map((id) => endings(source, id)), { timeout: 60_000, interval: 10 })
    .toEqual(ids.map(() => outcomes));

async function rowsOf(table: string, key: string, source: string) {
  const rows: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await tables.send(
      new ScanCommand({ TableName: aws.tables[table], ConsistentRead: true, ExclusiveStartKey: from }),
    );
    rows.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return rows.filter((row) => String(row[key]).startsWith(`${source}#`));
}

/** Of those events: what the inbox says, and how often each was applied to its account. */
async function traces(source: string, ids: readonly string[]) {
  const inbox = await rowsOf('inbox', 'id', source);
  const accounts = await rowsOf('accounts', 'accountId', source);
  return ids.map((id) => ({
    status: inbox.find((row) => row['eventId'] === id)?.['status'],
    entries: accounts.find((row) => row['accountId'] === `${source}#${id}`)?.['entries'],
  }));
}

async function isAppliedOnce(source: string, delivery: Delivery, ids: readonly string[]) {
  const success = sources.get(source)?.provider.successStatus;
  const isQueued = sources.get(source)?.process === 'queued';

  const first = await deliver(source, delivery);
  await becomes(source, ids, ['processed']);
  const second = await deliver(source, delivery);
  await becomes(source, ids, ['processed', 'duplicate']);

  expect([first.status, first.outcome]).toEqual([success, isQueued ? 'queued' : 'processed']);
  expect([second.status, second.outcome]).toEqual([success, isQueued ? 'queued' : 'duplicate']);
  expect(await traces(source, ids)).toEqual(ids.map(() => ({ status: 'processed', entries: 1 })));
}

it('every payload on file is sent', () => {
  const sent = [...Object.keys(EVENTS), ...Object.keys(HANDSHAKES)];

  expect(sent.toSorted()).toEqual(
    allPayloads()
      .map(({ file }) => file)
      .toSorted(),
  );
  expect(sent).toHaveLength(28);
});

describe('a payload on file, as it was signed', () => {
  it.each(Object.entries(EVENTS))('%s is applied once over two deliveries', async (file, [source, ...ids]) => {
    await isAppliedOnce(source, readSignedPayload(file), ids);
  });

  it('of a change under two event ids is applied once where the source names it itself', async () => {
    const [file, twin] = [
      'stripe-customer-subscription-updated.json',
      'stripe-customer-subscription-updated-second-event.json',
    ];

    const answers = [
      await deliver('stripe-twins', readSignedPayload(file)),
      await deliver('stripe-twins', readSignedPayload(twin)),
    ];

    expect(answers.map(({ status, outcome }) => [status, outcome])).toEqual([
      [200, 'processed'],
      [200, 'duplicate'],
    ]);
    expect(await rowsOf('accounts', 'accountId', 'stripe-twins')).toMatchObject([{ entries: 1 }]);
  });

  it.each(Object.entries(HANDSHAKES))('%s gets its documented answer', async (file, [source, status, type, body]) => {
    const before = await rowsOf('inbox', 'id', source);

    const answered = await deliver(source, readSignedPayload(file));

    expect(answered).toMatchObject({ status, type, body });
    expect(await rowsOf('inbox', 'id', source)).toEqual(before);
  });
});

describe('a handshake that nobody signs', () => {
  it.each([
    ['dropbox', 'GET', '?challenge=abc123'],
    [
      'meta',
      'GET',
      `?hub.mode=subscribe&hub.challenge=abc123&hub.verify_token=${encodeURIComponent(META_VERIFY_TOKEN)}`,
    ],
    ['microsoft-graph', 'POST', '?validationToken=abc123'],
  ])('of %s gets its challenge back as plain text and writes no row', async (source, method, query) => {
    const before = await rowsOf('inbox', 'id', source);

    const response = await fetch(`${aws.apiUrl}/webhooks/${source}${query}`, { method });

    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'abc123',
    ]);
    expect(await rowsOf('inbox', 'id', source)).toEqual(before);
  });
});

describe('a delivery that is made here', () => {
  const make = (sender: CodeSender, id: string): Delivery => sender.send(id, sender.secret, epochMs(Date.now()));

  it.each(ASKED)('by %s is answered 503 while its host gives no key, and writes nothing', async (source, sender) => {
    hosts.isUp = false;
    const answered = await deliver(source, make(sender, 'early'));
    hosts.isUp = true;

    expect([answered.status, answered.outcome]).toEqual([503, 'key-unavailable']);
    expect(await rowsOf('inbox', 'id', source)).toEqual([]);
  });

  it.each(NAMED)('by %s is applied once over two deliveries', async (source, sender) => {
    await isAppliedOnce(source, make(sender, 'e1'), [sender.eventId('e1', epochMs(0))]);
  });

  it('by Plaid, which names none, is an event each time that it comes', async () => {
    const delivery = make(CODE_SENDERS.plaid, 'e1');

    const answers = [await deliver('plaid', delivery), await deliver('plaid', delivery)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expect
      .poll(async () => (await rowsOf('inbox', 'id', 'plaid')).map((row) => row['status']), {
        timeout: 60_000,
        interval: 100,
      })
      .toEqual(['processed', 'processed']);
  });

  it('by SNS to confirm the topic is confirmed at SNS and writes no row', async () => {
    const before = await rowsOf('inbox', 'id', 'aws-sns');
    const message = snsMessage({
      Type: 'SubscriptionConfirmation',
      Token: 'token-of-sns',
      SubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription',
    });

    const answered = await deliver('aws-sns', { headers: {}, body: message });

    expect([answered.status, answered.body]).toEqual([200, '{"outcome":"handshake"}']);
    expect(hosts.asked.filter((url) => url.includes('Action=ConfirmSubscription'))).toEqual([
      expect.stringContaining('Token=token-of-sns'),
    ]);
    expect(await rowsOf('inbox', 'id', 'aws-sns')).toEqual(before);
  });
});
