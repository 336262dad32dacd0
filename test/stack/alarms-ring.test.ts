import { describe, expect, it } from 'vitest';
import { createDeliverTelemetry } from '../../lambda/adapters/telemetry/deliver-telemetry.ts';
import { METRIC_NAMESPACE } from '../../lambda/contract.ts';
import { milliseconds } from '../../lambda/core/time.ts';
import { LOCAL_ACCOUNT_ID, LOCAL_REGION } from '../../local/template/physical-names.ts';
import { parseTemplate } from '../../local/template/template.ts';
import { emittedIn, isRinging, readShown, valuesIn } from '../support/shown-metrics.ts';
import { collectWrittenLines } from '../support/written-lines.ts';
import { aStack, DELIVERING, type StackOptions } from './a-stack.ts';

const shownBy = (options: StackOptions = {}) => {
  const { stack, template } = aStack(options);
  const place = { region: LOCAL_REGION, accountId: LOCAL_ACCOUNT_ID };
  return readShown(parseTemplate(template.toJSON(), { stackName: stack.stackName, directory: '' }), place);
};

const { alarms } = shownBy(DELIVERING);
const alarm = (name: string) => {
  const found = alarms.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no alarm ${name}`);
  return found;
};

const MINUTE_MS = 60_000;
const DAY = 86_400;

/** The values that come in one period: of what is well, and of what somebody has to look at. */
const PERIODS: Readonly<Record<string, { readonly quiet: readonly number[]; readonly ringing: readonly number[] }>> = {
  NotAcknowledged: { quiet: [0, 0, 0], ringing: [0, 1, 0] },
  Parked: { quiet: [], ringing: [1] },
  EventsDlq: { quiet: [0, 0, 0, 0, 0], ringing: [0, 0, 1, 0, 0] },
  EventsDlqAge: { quiet: [7 * DAY - 120, 7 * DAY - 60], ringing: [7 * DAY - 60, 7 * DAY] },
  EventsQueueAge: { quiet: [3500, 3599], ringing: [3540, 3600] },
  Failed: { quiet: [], ringing: [1] },
  ReceiveErrors: { quiet: [0, 0, 0], ringing: [0, 0, 1] },
  ReceiveThrottles: { quiet: [0, 0, 0], ringing: [0, 0, 1] },
  WorkErrors: { quiet: [0, 0], ringing: [0, 1] },
  WorkThrottles: { quiet: [0, 0], ringing: [0, 1] },
  OutboxStuck: { quiet: [0, 0, 0, 0, 0], ringing: [0, 0, 1, 1, 1] },
  OutboxOldest: { quiet: [0, 9 * MINUTE_MS, 10 * MINUTE_MS - 1], ringing: [9 * MINUTE_MS, 10 * MINUTE_MS] },
  DispatchIteratorAge: { quiet: [10, 59 * MINUTE_MS], ringing: [59 * MINUTE_MS, 60 * MINUTE_MS] },
  OutboxDlq: { quiet: [0, 0], ringing: [0, 1] },
  StreamFailures: { quiet: [0, 0], ringing: [1, 0] },
  DeliveriesDlq: { quiet: [0, 0], ringing: [0, 1] },
};

describe('the alarms', () => {
  it('are those whose periods are told here', () => {
    expect(alarms.map(({ name }) => name).toSorted()).toEqual(Object.keys(PERIODS).toSorted());
  });

  it.each(Object.entries(PERIODS))('%s rings when it has to, and not before', (name, { quiet, ringing }) => {
    expect([isRinging(alarm(name), quiet), isRinging(alarm(name), ringing)]).toEqual([false, true]);
  });

  it('are quiet where nothing happens, but for the one that the sweep keeps quiet', () => {
    const ringing = alarms.filter((each) => isRinging(each, [])).map(({ name }) => name);

    expect(ringing).toEqual(['OutboxOldest']);
  });
});

describe('what is said of an attempt at a target', () => {
  const written = collectWrittenLines();

  it('is what the widget of the targets shows', () => {
    const telemetry = createDeliverTelemetry();
    for (const status of [204, 500]) {
      telemetry.attempted({
        messageId: 'patient#e1#1',
        topic: 'receipt.requested',
        target: 'billing',
        attempt: 1,
        answer: { kind: 'answered', status, retryAfter: undefined },
        duration: milliseconds(40),
      });
    }
    const lines: readonly Readonly<Record<string, unknown>>[] = written.map((line) => JSON.parse(line));

    const emitted = lines.flatMap(emittedIn);
    const { onDashboard } = shownBy(DELIVERING);
    const shown = onDashboard.filter(({ name }) => emitted.some((each) => each.name === name));

    expect(shown.map(({ namespace, name, dimensions }) => [namespace, name, dimensions])).toEqual([
      [METRIC_NAMESPACE, 'Delivered', {}],
      [METRIC_NAMESPACE, 'DeliveryFailed', {}],
    ]);
    for (const metric of shown) expect(valuesIn(lines, metric).map(({ value }) => value)).toEqual([1]);
    expect(emitted.map(({ sets }) => sets)).toEqual([
      [{ source: 'patient' }, {}],
      [{ source: 'patient' }, {}],
    ]);
  });
});
