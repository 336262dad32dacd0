import { describe, expect, it } from 'vitest';
import { createDeliverTelemetry } from '../../../lambda/adapters/telemetry/deliver-telemetry.ts';
import type { DeliveryAttempt } from '../../../lambda/core/deliver-ports.ts';
import { milliseconds } from '../../../lambda/core/time.ts';
import { collectWrittenLines } from '../../support/written-lines.ts';

const ATTEMPT: DeliveryAttempt = {
  messageId: 'shop#e1#1',
  topic: 'receipt.requested',
  target: 'billing',
  attempt: 2,
  answer: { kind: 'answered', status: 204, retryAfter: '5' },
  duration: milliseconds(40),
};

describe('what is said of an attempt at a target', () => {
  const written = collectWrittenLines();

  const say = (changes: Partial<DeliveryAttempt> = {}) => {
    createDeliverTelemetry().attempted({ ...ATTEMPT, ...changes });
    const lines: readonly Record<string, unknown>[] = written.map((line) => JSON.parse(line));
    return {
      line: lines.find((fields) => 'target' in fields),
      metrics: lines.find((fields) => '_aws' in fields),
    };
  };

  it('is one line, and a count by the source of the message and in total', () => {
    const { line, metrics } = say();

    expect(line).toMatchObject({
      level: 'INFO',
      message: 'message delivered',
      messageId: 'shop#e1#1',
      topic: 'receipt.requested',
      target: 'billing',
      status: 204,
      attempt: 2,
      durationMs: 40,
    });
    expect(metrics).toMatchObject({ Delivered: 1, source: 'shop' });
    expect(metrics).toHaveProperty('_aws.CloudWatchMetrics.0.Dimensions', [['source'], []]);
    expect(metrics).not.toHaveProperty('DeliveryFailed');
    expect(metrics).not.toHaveProperty('target');
  });

  it.each([
    [{ kind: 'answered', status: 503, retryAfter: undefined } as const, { status: 503 }],
    [{ kind: 'no-answer', reason: 'TIMEOUT' } as const, { reason: 'TIMEOUT' }],
  ])('is a warning when it failed: %j', (answer, fields) => {
    const { line, metrics } = say({ answer });

    expect(line).toMatchObject({ level: 'WARN', message: 'delivery attempt failed', ...fields });
    expect(metrics).toMatchObject({ DeliveryFailed: 1, source: 'shop' });
    expect(metrics).not.toHaveProperty('Delivered');
  });

  it('is a total alone when the message has no source', () => {
    expect(say({ messageId: 'odd' }).metrics).toHaveProperty('_aws.CloudWatchMetrics.0.Dimensions', [[]]);
  });
});
