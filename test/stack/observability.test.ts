import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { onlyResource, resourcesOfType } from './template.ts';

interface Widget {
  readonly type: string;
  readonly y: number;
  readonly properties: {
    readonly title: string;
    readonly query?: string;
    // An entry is namespace, name, dimension names and values, and rendering options, in one array.
    readonly metrics?: readonly (readonly (string | { readonly expression?: string })[])[];
  };
}

function widgetsOf(template: Template): readonly Widget[] {
  const body = onlyResource(template, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody['Fn::Join'][1];
  return JSON.parse(body.map((part: unknown) => (typeof part === 'string' ? part : 'TOKEN')).join('')).widgets;
}

const { template } = aStack();
const widgets = widgetsOf(template);
const entries = widgets.flatMap(({ properties }) => properties.metrics ?? []);
const measured = entries
  .map((entry) => entry.filter((part) => typeof part === 'string'))
  .filter((entry) => entry.length > 0);
const ours = measured.filter(([namespace]) => namespace === METRIC_NAMESPACE);

describe('the dashboard', () => {
  it('opens on dedup hits: count, rate, and both by source', () => {
    const opening = widgets.slice(0, 4);

    expect(opening.every(({ properties }) => properties.title.startsWith('Dedup hits'))).toBe(true);
    expect(widgets[0]?.properties.metrics).toMatchObject([
      [METRIC_NAMESPACE, METRICS.duplicates, {}],
      [{ expression: 'IF(received > 0, 100 * duplicates / received, 0)' }],
      [METRIC_NAMESPACE, METRICS.received, {}],
    ]);
  });

  it('names metrics that are emitted: once a source and once without a dimension', () => {
    const dimensionSets = new Set(ours.map(([, , ...dimensions]) => dimensions.join('=')));

    expect(dimensionSets).toEqual(new Set(['', `${SOURCE_DIMENSION}=patient`, `${SOURCE_DIMENSION}=second-shop`]));
    for (const [, name] of ours) expect(Object.values(METRICS)).toContain(name);
  });

  it('shows every metric of the functions', () => {
    expect(new Set(ours.map(([, name]) => name))).toEqual(new Set(Object.values(METRICS)));
  });

  it('takes ages and lags of the outbox from the totals, the only ones there are', () => {
    const ages = ours.filter(([, name]) => name === METRICS.outboxOldestMs || name === METRICS.outboxLagMs);

    expect(ages.map((entry) => entry.length)).toEqual([2, 2, 2]);
  });

  it('shows how many messages the DLQ has, and the queue of what the stream gave up', () => {
    const queues = measured.filter(([namespace]) => namespace === 'AWS/SQS').map(([, ...rest]) => rest);

    expect(queues).toEqual([
      ['ApproximateNumberOfMessagesVisible', 'QueueName', 'TOKEN'],
      ['ApproximateNumberOfMessagesVisible', 'QueueName', 'TOKEN'],
    ]);
  });

  it("ends on the latest duplicates by name, read from the receive function's log", () => {
    expect(widgets.at(-1)).toMatchObject({
      type: 'log',
      properties: {
        query: expect.stringMatching(
          /source, eventId, eventType\n\| filter message = "event outcome" and outcome = "duplicate"/,
        ),
      },
    });
  });
});

interface Alarm {
  readonly MetricName: string;
  readonly Namespace: string;
  readonly Statistic: string;
  readonly Threshold: number;
  readonly TreatMissingData: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

/** Its properties by the name it rings with. */
const alarms = new Map<string, Alarm>(
  Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => [
    Properties.AlarmDescription.split('.')[0],
    Properties,
  ]),
);

describe('the alarms on our own metrics', () => {
  it.each([
    ['Failed', METRICS.failed, 'Sum', 1],
    ['OutboxStuck', METRICS.outboxStuck, 'Maximum', 1],
    ['OutboxOldest', METRICS.outboxOldestMs, 'Maximum', 600_000],
  ])('%s rings over all sources', (name, MetricName, Statistic, Threshold) => {
    expect(alarms.get(name)).toMatchObject({ Namespace: METRIC_NAMESPACE, MetricName, Statistic, Threshold });
    expect(alarms.get(name)?.Dimensions).toBeUndefined();
  });
});

describe('the alarms on the metrics of AWS', () => {
  it.each([
    ['DispatchIteratorAge', 'AWS/Lambda', 'IteratorAge', 3_600_000, 'FunctionName', { Ref: /^OutboxDispatchFunction/ }],
    ['OutboxDlq', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible', 1, 'QueueName', /^OutboxQueuesDeadLetters/],
    ['StreamFailures', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible', 1, 'QueueName', /^OutboxQueuesStreamFailures/],
  ])('%s rings at the worst of a period', (name, Namespace, MetricName, Threshold, Name, of) => {
    const Value =
      of instanceof RegExp
        ? { 'Fn::GetAtt': [expect.stringMatching(of), 'QueueName'] }
        : { Ref: expect.stringMatching(of.Ref) };

    expect(alarms.get(name)).toMatchObject({ Namespace, MetricName, Statistic: 'Maximum', Threshold });
    expect(alarms.get(name)?.Dimensions).toEqual([{ Name, Value }]);
  });
});

describe('every alarm', () => {
  it('is one of these', () => {
    expect([...alarms.keys()]).toEqual([
      'Failed',
      'OutboxStuck',
      'OutboxOldest',
      'DispatchIteratorAge',
      'OutboxDlq',
      'StreamFailures',
    ]);
  });

  it.each([...alarms])('%s rings at its threshold, within five minutes', (_name, alarm) => {
    expect(alarm).toMatchObject({
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      EvaluationPeriods: 1,
      Period: 300,
    });
  });

  it('is silent when nothing comes, but for the one on what each run of the sweep tells', () => {
    const ringing = [...alarms].filter(([, { TreatMissingData }]) => TreatMissingData !== 'notBreaching');

    expect(ringing.map(([name, { TreatMissingData }]) => [name, TreatMissingData])).toEqual([
      ['OutboxOldest', 'breaching'],
    ]);
  });
});

describe('the runbook', () => {
  const runbook = readFileSync(resolve(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

  it.each(Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm')))(
    'has a section for an alarm, under its name and with its severity',
    ({ Properties }) => {
      const [, name, severity, anchor] =
        /^(\w+)\. Severity: (\w+)\. .*docs\/runbook\.md#(\w+)$/.exec(Properties.AlarmDescription) ?? [];
      const section = runbook.split(/^## /m).find((text) => text.startsWith(`${name}\n`));

      expect(JSON.stringify(Properties.AlarmName)).toContain(`-${name}"`);
      expect(anchor).toBe(name?.toLowerCase());
      expect(section).toContain(`Severity: ${severity}.`);
      expect(section?.match(/^### .*$/gm)).toEqual([
        '### What it means',
        '### How to look',
        '### What to do',
        '### What not to do',
      ]);
    },
  );

  it('has no section without an alarm', () => {
    const headings = [...runbook.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);

    expect(headings).toEqual([...alarms.keys()]);
  });
});
