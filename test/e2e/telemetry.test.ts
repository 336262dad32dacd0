import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION } from '../../lambda/contract.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startTestAws } from '../support/start-test-aws.ts';
import { type SignedDelivery, standardDelivery } from './official-senders.ts';

const MODULE = join(import.meta.dirname, '../../lambda/oncehook.ts');

const SOURCES = `
  import { defineSources, standardWebhooks } from ${JSON.stringify(MODULE)};

  export const sources = defineSources({
    shop: {
      provider: standardWebhooks(),
      on: {
        paid: async () => ({}),
        broken: async () => { throw new Error('boom'); },
      },
    },
  });
`;

let aws: LocalAws;
let folder: string;
const answers: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
  await writeFile(join(folder, 'sources.ts'), SOURCES);
  aws = await startTestAws({ sourcesFile: join(folder, 'sources.ts'), context: { retryAfterSeconds: '1' } });

  const secret = aws.secrets['shop']?.[0] ?? '';
  const sign = (id: string, type: string): SignedDelivery =>
    standardDelivery(secret, id, type, { note: 'canary-BODY', pad: 'x'.repeat(100_000) });
  const good = sign('msg_1', 'paid');
  await post('shop', good);
  await post('shop', good);
  await post('shop', sign('msg_2', 'broken'));
  await post('shop', sign('msg_3', 'unknown'));
  await post('shop', { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,canaryFORGED' } });
  await post('shop', { ...good, headers: {} });
  await post('canary-PATH', good);
  await aws.logs.waitFor(({ fields }) => fields?.['outcome'] === 'unknown-source');
  await aws.logs.waitFor(({ functionKey, fields }) => functionKey === 'work' && fields?.['outcome'] === 'parked');
});
afterAll(async () => {
  await aws?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function post(source: string, { body, headers }: SignedDelivery): Promise<void> {
  const response = await fetch(`${aws.apiUrl}/webhooks/${source}`, {
    method: 'POST',
    body,
    headers: { ...headers, authorization: 'Bearer canary-AUTH', cookie: 'canary-COOKIE' },
  });
  answers.push(JSON.stringify([...response.headers]) + (await response.text()));
}

/** What the functions have written: all of them, or one. */
const functionLines = (key?: string) =>
  aws.logs.entries.filter(({ from, functionKey }) => from === 'function' && (key === undefined || functionKey === key));

interface MetricLine {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
}
const metricLines = (key?: string): readonly (MetricLine & Record<string, unknown>)[] =>
  functionLines(key).flatMap(({ fields }) => (fields?.['_aws'] === undefined ? [] : [fields as never]));

const outcomesOf = (key: string) =>
  functionLines(key)
    .flatMap(({ fields }) => (fields?.['outcome'] === undefined ? [] : [fields]))
    .map(({ outcome, source, eventId, reason, errorMessage }) => ({ outcome, source, eventId, reason, errorMessage }));

/** How often each metric that counts was counted. */
function countsOf(key: string): Readonly<Record<string, number>> {
  const byMetric = new Map<string, number>();
  for (const line of metricLines(key)) {
    for (const { Metrics } of line._aws.CloudWatchMetrics) {
      for (const { Name, Unit } of Metrics) {
        if (Unit === 'Count') byMetric.set(Name, (byMetric.get(Name) ?? 0) + Number(line[Name]));
      }
    }
  }
  return Object.fromEntries(byMetric);
}

describe('what the functions say of a delivery', () => {
  it('has nothing of a body, a secret or a header that authenticates, and neither has an answer', () => {
    const secret = aws.secrets['shop']?.[0] ?? 'missing';
    const said = [...functionLines().map(({ text }) => text), ...answers].join('\n');

    expect(said).not.toMatch(/canary/);
    expect(said).not.toContain(secret);
    expect(said).not.toContain(secret.replace('whsec_', ''));
    expect(answers.join('')).not.toMatch(/boom|Error|stack|at /);
  });

  it('is one line an outcome', () => {
    expect(outcomesOf('receive')).toEqual([
      { outcome: 'processed', source: 'shop', eventId: 'msg_1' },
      { outcome: 'duplicate', source: 'shop', eventId: 'msg_1' },
      { outcome: 'queued', source: 'shop', eventId: 'msg_2', reason: 'failed', errorMessage: 'boom' },
      { outcome: 'ignored', source: 'shop', eventId: 'msg_3' },
      { outcome: 'unauthenticated', source: 'shop', reason: expect.any(String) },
      { outcome: 'unauthenticated', source: 'shop', reason: 'missing_header' },
      { outcome: 'unknown-source' },
    ]);
  });

  it('is one line an attempt at a queued event, the last one the parking', () => {
    const failed = { outcome: 'failed', source: 'shop', eventId: 'msg_2', errorMessage: 'boom' };

    expect(outcomesOf('work')).toEqual([
      failed,
      failed,
      failed,
      { ...failed, outcome: 'parked', reason: 'max-attempts' },
    ]);
  });

  it('is small, however large the body was', () => {
    const lines = functionLines();
    const invocations = answers.length + outcomesOf('work').length;
    const bytes = lines.reduce((sum, { text }) => sum + text.length, 0);

    expect(bytes / invocations).toBeLessThan(2000);
  });

  it('counts each metric by source and as a total, and in no other dimension', () => {
    for (const line of metricLines()) {
      for (const { Namespace, Dimensions } of line._aws.CloudWatchMetrics) {
        expect(Namespace).toBe(METRIC_NAMESPACE);
        expect([[[SOURCE_DIMENSION], []], [[]]]).toContainEqual(Dimensions);
      }
    }

    expect(countsOf('receive')).toEqual({
      [METRICS.received]: 4,
      [METRICS.processed]: 1,
      [METRICS.duplicates]: 1,
      [METRICS.queued]: 1,
      [METRICS.failed]: 1,
      [METRICS.rejected]: 3,
    });
    // What comes from the queue was counted as received when it came from the provider.
    expect(countsOf('work')).toEqual({ [METRICS.failed]: 4, [METRICS.parked]: 1 });
  });

  it('never makes a dimension of a name that no source has', () => {
    const named = metricLines().map((line) => line[SOURCE_DIMENSION]);

    expect(new Set(named)).toEqual(new Set(['shop', undefined]));
    expect(named.filter((source) => source === undefined)).toHaveLength(1);
  });
});
