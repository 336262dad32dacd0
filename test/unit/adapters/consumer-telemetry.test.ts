import { describe, expect, it } from 'vitest';
import { createConsumerTelemetry } from '../../../lambda/adapters/telemetry/consumer-telemetry.ts';
import type { EventOutcome } from '../../../lambda/core/outcome.ts';
import { milliseconds } from '../../../lambda/core/time.ts';
import { collectWrittenLines } from '../../support/written-lines.ts';

const error = { name: 'Error', message: 'boom' };

describe('what is said of a consumed message', () => {
  const written = collectWrittenLines();

  const say = (outcome: EventOutcome, id = 'stripe#evt_1#1') => {
    createConsumerTelemetry().messageEnded(
      { id, topic: 'receipt.requested', group: 'acct-1' },
      outcome,
      milliseconds(3),
    );
    const lines: readonly Record<string, unknown>[] = written.map((line) => JSON.parse(line));
    return {
      line: lines.find((fields) => 'outcome' in fields),
      metrics: lines.find((fields) => '_aws' in fields),
    };
  };

  it('is one line with its id, topic, outcome, attempt and time', () => {
    expect(say({ kind: 'processed', attempt: 2 }).line).toMatchObject({
      level: 'INFO',
      message: 'message outcome',
      messageId: 'stripe#evt_1#1',
      topic: 'receipt.requested',
      outcome: 'processed',
      attempt: 2,
      durationMs: 3,
    });
  });

  it.each([
    ['Consumed', { kind: 'processed', attempt: 1 }],
    ['ConsumerDuplicates', { kind: 'duplicate', bodyMismatch: false }],
  ] satisfies [string, EventOutcome][])('counts as %s of the source it came from, and in total', (metric, outcome) => {
    expect(say(outcome).metrics).toMatchObject({
      [metric]: 1,
      source: 'stripe',
      _aws: { CloudWatchMetrics: [{ Dimensions: [['source'], []] }] },
    });
  });

  it('counts in total alone where its id names no source', () => {
    expect(say({ kind: 'processed', attempt: 1 }, 'from-elsewhere').metrics).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Dimensions: [[]] }] },
    });
  });

  it.each([
    { kind: 'failed', attempt: 1, error },
    { kind: 'parked', reason: 'permanent', attempt: 1, error },
    { kind: 'expired' },
    { kind: 'store-down', reason: 'STORE_UNAVAILABLE' },
  ] satisfies EventOutcome[])('is an error, and no metric, when it is $kind', (outcome) => {
    const { line, metrics } = say(outcome);

    expect(line).toMatchObject({ level: 'ERROR', outcome: outcome.kind });
    expect(metrics).toBeUndefined();
  });
});
