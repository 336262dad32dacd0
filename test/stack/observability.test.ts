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
    const dimensionSets = new Set(measured.map(([, , ...dimensions]) => dimensions.join('=')));

    expect(dimensionSets).toEqual(new Set(['', `${SOURCE_DIMENSION}=patient`, `${SOURCE_DIMENSION}=second-shop`]));
    for (const [namespace, name] of measured) {
      expect(namespace).toBe(METRIC_NAMESPACE);
      expect(Object.values(METRICS)).toContain(name);
    }
  });

  it('shows every metric of the receive function', () => {
    expect(new Set(measured.map(([, name]) => name))).toEqual(new Set(Object.values(METRICS)));
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

describe('the alarm on failed events', () => {
  const alarm = onlyResource(template, 'AWS::CloudWatch::Alarm').Properties;

  it('rings at the first one, over all sources', () => {
    expect(alarm).toMatchObject({
      Namespace: METRIC_NAMESPACE,
      MetricName: METRICS.failed,
      Statistic: 'Sum',
      Threshold: 1,
    });
    expect(alarm.Dimensions).toBeUndefined();
    expect(alarm.ComparisonOperator).toBe('GreaterThanOrEqualToThreshold');
  });

  it('is silent when nothing comes', () => {
    expect(alarm.TreatMissingData).toBe('notBreaching');
  });
});

describe('every alarm', () => {
  const runbook = readFileSync(resolve(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

  it.each(Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm')))(
    'has a severity and a section in the runbook',
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
});
