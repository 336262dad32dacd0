import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION } from '../../lambda/contract.ts';
import { aStack, DELIVERING, EVERYTHING } from './a-stack.ts';
import { onlyResource, queue, resourcesOfType } from './template.ts';

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
    const deliverer = [METRICS.delivered, METRICS.deliveryFailed];
    const shown = [...new Set(ours.map(([, name]) => name)), ...deliverer];

    expect(new Set(shown)).toEqual(new Set(Object.values(METRICS)));
    const delivering = widgetsOf(aStack(DELIVERING).template).map(({ properties }) =>
      JSON.stringify(properties.metrics),
    );
    for (const name of deliverer) expect(delivering.join()).toContain(`"${name}"`);
  });

  it('takes ages and lags of the outbox from the totals, the only ones there are', () => {
    const ages = ours.filter(([, name]) => name === METRICS.outboxOldestMs || name === METRICS.outboxLagMs);

    expect(ages.map((entry) => entry.length)).toEqual([2, 2, 2]);
  });

  it('shows how long events wait, and of each DLQ how many messages it has', () => {
    const shown = widgets.flatMap(({ properties }) =>
      (properties.metrics ?? [])
        .filter(([namespace]) => namespace === 'AWS/SQS')
        .map(([, name]) => [properties.title.split(':')[0], name]),
    );

    expect(shown).toEqual([
      ['Events queue', 'ApproximateAgeOfOldestMessage'],
      ['Events DLQ', 'ApproximateNumberOfMessagesVisible'],
      ['Events DLQ', 'ApproximateAgeOfOldestMessage'],
      ['Outbox', 'ApproximateNumberOfMessagesVisible'],
      ['Outbox', 'ApproximateNumberOfMessagesVisible'],
    ]);
  });

  it.each([
    ['Handler: time of an attempt', METRICS.handlerMs],
    ['Commit: time of the transaction', METRICS.commitMs],
  ])('shows of each attempt what half of them and 99 % do not exceed: %s', (title, metric) => {
    const shown = widgets.find(({ properties }) => properties.title === title)?.properties.metrics;

    expect(shown).toMatchObject([
      [METRIC_NAMESPACE, metric, { stat: 'p50' }],
      [METRIC_NAMESPACE, metric, { stat: 'p99' }],
    ]);
  });

  it.each([
    ['errors', 'Errors', 'Sum'],
    ['throttled invocations', 'Throttles', 'Sum'],
    ['duration, 99 %', 'Duration', 'p99'],
  ])('shows %s of every function', (what, metric, stat) => {
    for (const [built, last] of [
      [template, 'consume'],
      [aStack(DELIVERING).template, 'deliver'],
    ] as const) {
      const lines = widgetsOf(built).find(({ properties }) => properties.title === `Functions: ${what}`);

      expect(lines?.properties.metrics).toMatchObject(
        ['receive', 'work', 'dispatch', 'sweep', last].map((label) => [
          'AWS/Lambda',
          metric,
          'FunctionName',
          'TOKEN',
          { label, stat },
        ]),
      );
    }
  });

  it('shows what the API answered: 4xx beside what we rejected, and 5xx', () => {
    const api = measured.filter(([namespace]) => namespace === 'AWS/ApiGateway').map(([, name]) => name);

    expect(api).toEqual(['4xx', '5xx']);
  });

  it('has one row for what was not applied at once', () => {
    const row = widgets.filter(({ properties }) => properties.title.startsWith('Events q'));
    const [queued] = row;

    expect(new Set(row.map(({ y }) => y)).size).toBe(1);
    expect(queued?.properties.metrics?.map(([, name]) => name)).toEqual([
      METRICS.queued,
      METRICS.failed,
      METRICS.parked,
    ]);
  });

  it('ends on the latest duplicates by name, read from the logs of receive and work', () => {
    expect(widgets.at(-1)).toMatchObject({
      type: 'log',
      properties: {
        query: expect.stringMatching(
          /^SOURCE 'TOKEN' \| SOURCE 'TOKEN' \| fields @timestamp, source, eventId, eventType\n\| filter message = "event outcome" and outcome = "duplicate"/,
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
    ['Parked', METRICS.parked, 'Sum', 1],
    ['Failed', METRICS.failed, 'Sum', 1],
    ['OutboxStuck', METRICS.outboxStuck, 'Maximum', 1],
    ['OutboxOldest', METRICS.outboxOldestMs, 'Maximum', 600_000],
  ])('%s rings over all sources', (name, MetricName, Statistic, Threshold) => {
    expect(alarms.get(name)).toMatchObject({ Namespace: METRIC_NAMESPACE, MetricName, Statistic, Threshold });
    expect(alarms.get(name)?.Dimensions).toBeUndefined();
  });
});

describe('a delivery that was neither applied nor queued', () => {
  it('rings, whether a function lived to say so or not', () => {
    expect(alarms.get('NotAcknowledged')).toMatchObject({
      Namespace: 'AWS/ApiGateway',
      MetricName: '5xx',
      Statistic: 'Sum',
      Threshold: 1,
      Dimensions: [{ Name: 'ApiId', Value: { Ref: expect.stringMatching(/^IngressApi/) } }],
    });
  });
});

describe('an event in the events DLQ', () => {
  it('rings again while there is as much time left as it has waited', () => {
    const retention = queue(template, 'RetriesQueuesDeadLetters').Properties.MessageRetentionPeriod;

    expect(alarms.get('EventsDlqAge')?.Threshold).toBe(7 * 86_400);
    expect(alarms.get('EventsDlqAge')?.Threshold).toBe(retention / 2);
  });
});

describe('the alarms on the metrics of AWS', () => {
  it.each([
    ['EventsDlq', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible', 1, 'QueueName', /^RetriesQueuesDeadLetters/],
    ['EventsDlqAge', 'AWS/SQS', 'ApproximateAgeOfOldestMessage', 604_800, 'QueueName', /^RetriesQueuesDeadLetters/],
    ['EventsQueueAge', 'AWS/SQS', 'ApproximateAgeOfOldestMessage', 3600, 'QueueName', /^RetriesQueuesQueue/],
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

describe('the alarms on the functions that apply events', () => {
  it.each([
    ['ReceiveErrors', 'Errors', /^ReceiveFunction/],
    ['ReceiveThrottles', 'Throttles', /^ReceiveFunction/],
    ['WorkErrors', 'Errors', /^RetriesWorkFunction/],
    ['WorkThrottles', 'Throttles', /^RetriesWorkFunction/],
  ])('%s rings at the first of a period', (name, MetricName, of) => {
    expect(alarms.get(name)).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName,
      Statistic: 'Sum',
      Threshold: 1,
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: expect.stringMatching(of) } }],
    });
  });
});

describe('an alarm that rings', () => {
  it('tells nobody by itself', () => {
    for (const { Properties } of Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm'))) {
      expect(Properties.AlarmActions).toBeUndefined();
    }
    template.resourceCountIs('AWS::SNS::Topic', 0);
    template.resourceCountIs('AWS::KMS::Key', 0);
  });

  it('tells the topic, whichever it is, when there is an address', () => {
    const told = Object.values(resourcesOfType(aStack(EVERYTHING).template, 'AWS::CloudWatch::Alarm'));

    expect(told).toHaveLength(alarms.size);
    for (const { Properties } of told) {
      expect(Properties.AlarmActions).toEqual([{ Ref: expect.stringMatching(/^AlarmsTopic/) }]);
    }
  });
});

describe('every alarm', () => {
  it('is one of these', () => {
    expect([...alarms.keys()]).toEqual([
      'NotAcknowledged',
      'Parked',
      'EventsDlq',
      'EventsDlqAge',
      'EventsQueueAge',
      'Failed',
      'ReceiveErrors',
      'ReceiveThrottles',
      'WorkErrors',
      'WorkThrottles',
      'OutboxStuck',
      'OutboxOldest',
      'DispatchIteratorAge',
      'OutboxDlq',
      'StreamFailures',
    ]);
  });

  it('says in its description what it takes to ring, in units, and what no data means', () => {
    const described = new Map(
      Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => [
        Properties.AlarmDescription.split('.')[0],
        Properties.AlarmDescription,
      ]),
    );

    expect(described.get('OutboxOldest')).toContain(
      'Rings at 600000 or more ms in five minutes, and when no data comes.',
    );
    for (const [name, { Threshold, TreatMissingData }] of alarms) {
      const missing = TreatMissingData === 'breaching' ? 'when' : 'not when';

      expect(described.get(name)).toMatch(
        new RegExp(`Rings at ${Threshold} or more [a-z]+ in five minutes, and ${missing} no data comes\\.`),
      );
    }
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

  // The one with every alarm that there can be.
  const full = aStack(DELIVERING).template;

  it.each(Object.values(resourcesOfType(full, 'AWS::CloudWatch::Alarm')))(
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

    expect(headings).toEqual([...alarms.keys(), 'DeliveriesDlq']);
  });
});
